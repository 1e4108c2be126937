-- Who bears a term: the index of the terms in search_term. Whoever bears one is read from the rows that the index points to, a
-- hundred thousand for a frequent term, so these rows hold nothing else: the terms themselves are ten times as long.
-- part: a vector holds 1 MB, so an entry may have several.
ALTER TABLE search_term ADD COLUMN part smallint NOT NULL DEFAULT 0;
DROP INDEX search_term_terms;
DROP INDEX search_term_key;
CREATE UNIQUE INDEX search_term_key ON search_term (key, part);

-- What the index is made of. It says the same as long as a row of search_bearer lives, and is declared to do so: terms are only ever
-- replaced together with that row, first the terms and then the row.
CREATE FUNCTION search_terms_of(key bigint, part smallint) RETURNS tsvector IMMUTABLE STRICT LANGUAGE sql
  BEGIN ATOMIC
    SELECT terms FROM search_term WHERE search_term.key = $1 AND search_term.part = $2;
  END;

CREATE TABLE search_bearer (
  key  bigint   NOT NULL,
  part smallint NOT NULL
);
INSERT INTO search_bearer (key, part) SELECT key, part FROM search_term ORDER BY key, part;
CREATE UNIQUE INDEX search_bearer_key ON search_bearer (key, part);
-- Every search goes through the list of what is not yet in the index, so it is kept short.
CREATE INDEX search_bearer_terms ON search_bearer USING gin (search_terms_of(key, part)) WITH (gin_pending_list_limit = 256);
-- No plan is made by how terms are distributed.
ALTER INDEX search_bearer_terms ALTER COLUMN 1 SET STATISTICS 0;
