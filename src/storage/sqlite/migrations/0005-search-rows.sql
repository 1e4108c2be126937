-- Entries and their terms in one row, because every write pays for each. What was there is made anew at the start (decision 26).
DROP TABLE search_bearer;
DROP TABLE search_term;
DROP TABLE search_entry;

-- What an aspect contributes to finding its entity. key as in aspect. fields is a JSON object of lists, terms are separated by
-- blanks; the checksum is of the fields, which nothing else holds.
CREATE TABLE search_entry (
  key      INTEGER PRIMARY KEY,
  checksum INTEGER NOT NULL,
  fields   TEXT    NOT NULL,
  terms    TEXT    NOT NULL
) STRICT;

-- Who bears a term: the index of the terms in search_entry. Terms come ready from the code: whatever else than blanks is in them
-- belongs to them. Beginnings of two letters have lists of their own, because so many terms begin so (a mark and a letter are two as
-- well). Rows are taken out by the command 'delete', which needs their terms: DELETE on a table without content leaves
-- rowids on the connection that are too large for numbers.
CREATE VIRTUAL TABLE search_bearer USING fts5 (
  terms,
  content = 'search_entry',
  content_rowid = 'key',
  columnsize = 0,
  detail = none,
  prefix = '2',
  tokenize = "ascii tokenchars '!""#$%&''()*+,-./:;<=>?@[\]^_`{|}~'"
);

-- Words of names, to find what somebody mistyped (decision 29). None is taken out when the last name with it goes.
CREATE TABLE search_word (
  id   INTEGER PRIMARY KEY,
  word TEXT    NOT NULL UNIQUE
) STRICT;
