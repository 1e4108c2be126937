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

-- Words of names, to find what somebody mistyped (decision 29). None is taken out when the last name with it goes.
CREATE TABLE search_word (
  id   INTEGER PRIMARY KEY,
  word TEXT    NOT NULL UNIQUE
) STRICT;
