-- The entries of an entity stand together, with their terms: a row for each entry and one for its terms cost a write more than the
-- index of the terms itself. What was there is made anew at the start (decision 26). The words of the dictionary stay.
DROP TABLE search_bearer;
DROP FUNCTION search_terms_of(integer, smallint, smallint);
DROP AGGREGATE joined_terms (tsvector);
DROP TABLE search_term;
DROP TABLE search_entry;
UPDATE search_progress SET version = 0, done = NULL;

-- Short entries of an entity share a row, name 0: part 0 holds those with few terms, which change often, part 1 the others. A long entry
-- has rows of its own: name as in the key of its aspect, part from 2 on, because a vector holds 1 MB; its fields lie in part 2.
-- entries: a line for each entry, with the name of its aspect, the length of its terms and its fields. terms: those of all
-- entries, in the same order. The checksum is that of the entries.
CREATE TABLE search_entry (
  entity   integer  NOT NULL,
  name     smallint NOT NULL,
  part     smallint NOT NULL,
  checksum bigint   NOT NULL,
  entries  text     COLLATE "C" NOT NULL,
  terms    text     COLLATE "C" NOT NULL,
  PRIMARY KEY (entity, name, part)
) WITH (toast_tuple_target = 8160);

-- What the index is made of. It says the same as long as a row of search_bearer or search_few lives, and is declared to do so: terms
-- are only ever replaced together with that row, first the terms and then the row.
CREATE FUNCTION search_terms_of(entity integer, name smallint, part smallint) RETURNS tsvector IMMUTABLE STRICT LANGUAGE sql
  BEGIN ATOMIC
    SELECT array_to_tsvector(array_remove(string_to_array(terms, ' '), '')) FROM search_entry
    WHERE search_entry.entity = $1 AND search_entry.name = $2 AND search_entry.part = $3;
  END;

-- Who bears a term: the rows of search_entry that have terms. A frequent term is read from about as many rows as entities bear it, so
-- they hold nothing else; and those of part 0, where words of texts do not stand, lie apart, or there would be twice as many pages.
CREATE TABLE search_bearer (
  entity integer  NOT NULL,
  name   smallint NOT NULL,
  part   smallint NOT NULL,
  PRIMARY KEY (entity, name, part)
);
CREATE TABLE search_few (
  entity integer PRIMARY KEY
);
-- Every search goes through the list of what is not yet in the index, so it is kept short.
CREATE INDEX search_bearer_terms ON search_bearer USING gin (search_terms_of(entity, name, part)) WITH (gin_pending_list_limit = 4096);
CREATE INDEX search_few_terms ON search_few USING gin (search_terms_of(entity, 0::smallint, 0::smallint)) WITH (gin_pending_list_limit = 4096);
-- No plan is made by how terms are distributed.
ALTER INDEX search_bearer_terms ALTER COLUMN 1 SET STATISTICS 0;
ALTER INDEX search_few_terms ALTER COLUMN 1 SET STATISTICS 0;
