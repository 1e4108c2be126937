-- How names begin is said by terms of their own, and the index lists entities and no longer their aspects. What was there is made
-- anew at the start (decision 26). The words of the dictionary stay.
DROP TABLE search_bearer;
DROP FUNCTION search_terms_of(bigint, smallint);
TRUNCATE search_entry, search_term;
-- Nothing is read from many of its rows any more, so the terms lie in them.
ALTER TABLE search_term RESET (toast_tuple_target);

-- Who bears a term. Entries of an entity with few terms stand together in one row, and so do those that are short: name 0, part 0
-- and 1. Each part of a long entry has a row of its own: name as in the key of the entry, part from 2 on. A frequent term is read from
-- about as many rows as entities bear it, so they hold nothing else.
CREATE TABLE search_bearer (
  entity integer  NOT NULL,
  name   smallint NOT NULL,
  part   smallint NOT NULL
);

-- All terms of several vectors.
CREATE AGGREGATE joined_terms (tsvector) (sfunc = tsvector_concat, stype = tsvector);

-- What the index is made of. Parts are as in search_term; 511 short entries are less than the 1 MB that a vector holds. It
-- says the same as long as a row of search_bearer lives, and is declared to do so: terms are only ever replaced together with that row,
-- first the terms and then the row.
CREATE FUNCTION search_terms_of(entity integer, name smallint, part smallint) RETURNS tsvector IMMUTABLE STRICT LANGUAGE sql
  BEGIN ATOMIC
    SELECT joined_terms(terms) FROM search_term
    WHERE search_term.part = $3
      AND key >= $1::bigint * 512 + $2 AND key <= $1::bigint * 512 + CASE WHEN $3 < 2 THEN 511 ELSE $2 END;
  END;

CREATE UNIQUE INDEX search_bearer_entity ON search_bearer (entity, name, part);
-- Every search goes through the list of what is not yet in the index, so it is kept short.
CREATE INDEX search_bearer_terms ON search_bearer USING gin (search_terms_of(entity, name, part)) WITH (gin_pending_list_limit = 256);
-- No plan is made by how terms are distributed.
ALTER INDEX search_bearer_terms ALTER COLUMN 1 SET STATISTICS 0;
