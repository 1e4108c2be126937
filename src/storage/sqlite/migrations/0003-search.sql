-- What an aspect contributes to finding its entity. key as in aspect. fields is a JSON object of lists, words are separated by
-- blanks.
CREATE TABLE search_entry (
  key      INTEGER PRIMARY KEY,
  fields   TEXT    NOT NULL,
  words    TEXT    NOT NULL,
  checksum INTEGER NOT NULL
) STRICT;

-- The terms of an entry, separated by blanks. They are many, so they lie apart.
CREATE TABLE search_term (
  key   INTEGER PRIMARY KEY,
  terms TEXT    NOT NULL
) STRICT;

-- Who bears a term: the index of what search_term says. Terms come ready from the code: whatever else than blanks is in them
-- belongs to them. Beginnings of two letters have lists of their own, because so many terms begin so (a mark and a letter are two as
-- well). Rows are taken out by the command 'delete', which needs their terms: DELETE on a table without content leaves
-- rowids on the connection that are too large for numbers.
CREATE VIRTUAL TABLE search_bearer USING fts5 (
  terms,
  content = 'search_term',
  content_rowid = 'key',
  columnsize = 0,
  detail = none,
  prefix = '2',
  tokenize = "ascii tokenchars '!""#$%&''()*+,-./:;<=>?@[\]^_`{|}~'"
);

-- One row: of which version the entries are, and up to which entity.id they have been made anew; NULL when all have been.
-- Entries of version 0 were never made.
CREATE TABLE search_progress (
  version INTEGER NOT NULL,
  done    INTEGER
) STRICT;
INSERT INTO search_progress (version, done) VALUES (0, 0);
