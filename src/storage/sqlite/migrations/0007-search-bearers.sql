-- All terms of an entity, in the order of entity.id: 512 names of aspects for each.
CREATE VIEW search_document (entity, terms) AS
  SELECT id, (SELECT group_concat(search_entry.terms, ' ') FROM search_entry
              WHERE search_entry.key >= entity.id * 512 AND search_entry.key < (entity.id + 1) * 512)
  FROM entity;

-- Which entity bears a term: the index of search_document, one row for each entity, so that terms of several of its aspects are
-- listed once. Terms come ready from the code: whatever else than blanks is in them belongs to them. Beginnings of two letters have
-- lists of their own, because so many terms begin so (a mark and a letter are two as well). Rows are taken out by the command 'delete', which needs their terms: DELETE on a table without content leaves
-- rowids on the connection that are too large for numbers.
CREATE VIRTUAL TABLE search_bearer USING fts5 (
  terms,
  content = 'search_document',
  content_rowid = 'entity',
  columnsize = 0,
  detail = none,
  prefix = '2',
  tokenize = "ascii tokenchars '!""#$%&''()*+,-./:;<=>?@[\]^_`{|}~'"
);

-- Bulk ingestion writes many small segments; merged by eight, each of its terms is written less often than by four.
INSERT INTO search_bearer (search_bearer, rank) VALUES ('automerge', 8);
