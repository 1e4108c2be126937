-- What an aspect contributes to finding its entity. key as in aspect. fields is a JSON object of lists, words are separated by
-- blanks.
CREATE TABLE search_entry (
  key      bigint PRIMARY KEY,
  fields   text   NOT NULL,
  words    text   NOT NULL,
  checksum bigint NOT NULL
);

-- The terms of an entry, and by the index who bears a term. A vector holds 1 MB, so an entry may have several. They are kept
-- apart from the keys, so that many keys are read from few pages. Every search goes through the list of what is not yet in the
-- index, so it is kept short.
CREATE TABLE search_term (
  key   bigint   NOT NULL,
  terms tsvector NOT NULL
) WITH (toast_tuple_target = 128);
CREATE INDEX search_term_key ON search_term (key);
CREATE INDEX search_term_terms ON search_term USING gin (terms) WITH (gin_pending_list_limit = 256);

-- One row: of which version the entries are, and up to which entity.id they have been made anew; NULL when all have been.
-- Entries of version 0 were never made.
CREATE TABLE search_progress (
  version bigint NOT NULL,
  done    bigint
);
INSERT INTO search_progress (version, done) VALUES (0, 0);
