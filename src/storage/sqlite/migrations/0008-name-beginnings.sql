-- How names begin is said by terms of their own, so beginnings have no lists beside those of the terms: every write paid for
-- two lists of each term. What was there is made anew at the start (decision 26). The index itself
-- is the dictionary of the words of names (decision 29).
DROP TABLE search_word;
DROP TABLE search_bearer;
DELETE FROM search_entry;

-- Which entity bears a term: the index of search_document, one row for each entity, so that terms of several of its aspects are
-- listed once. Terms come ready from the code: whatever else than blanks is in them belongs to them. Rows are taken out by the
-- command 'delete', which needs their terms: DELETE on a table without content leaves rowids on the connection that are too large
-- for numbers.
CREATE VIRTUAL TABLE search_bearer USING fts5 (
  terms,
  content = 'search_document',
  content_rowid = 'entity',
  columnsize = 0,
  detail = none,
  tokenize = "ascii tokenchars '!""#$%&''()*+,-./:;<=>?@[\]^_`{|}~'"
);

-- Bulk ingestion writes many small segments: merged by sixteen, each of its terms is written seldom; and few large pages of them.
INSERT INTO search_bearer (search_bearer, rank) VALUES ('automerge', 16);
INSERT INTO search_bearer (search_bearer, rank) VALUES ('pgsz', 16000);
