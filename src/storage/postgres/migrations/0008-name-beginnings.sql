-- How names begin is said by terms of their own, and the index lists entities and no longer their aspects. What was there is made
-- anew at the start (decision 26). The words of the dictionary stay.
DROP TABLE search_bearer;
DROP FUNCTION search_terms_of(bigint, smallint);
TRUNCATE search_entry, search_term;

-- Who bears a term. Short entries of an entity stand together in one row: name 0, part 0. Each part of a long entry has a row of its
-- own: name as in the key of the entry, part from 1 on. A frequent term is read from as many rows as entities bear it, so they
-- hold nothing else.
CREATE TABLE search_bearer (
  entity integer  NOT NULL,
  name   smallint NOT NULL,
  part   smallint NOT NULL
);

-- What the index is made of. In search_term, part 0 is a short entry; 511 of them are less than the 1 MB that a vector holds. It
-- says the same as long as a row of search_bearer lives, and is declared to do so: terms are only ever replaced together with that row,
-- first the terms and then the row.
CREATE FUNCTION search_terms_of(entity integer, name smallint, part smallint) RETURNS tsvector IMMUTABLE STRICT LANGUAGE sql
  BEGIN ATOMIC
    SELECT CASE WHEN $3 = 0 THEN
      (SELECT array_to_tsvector(array_agg(term)) FROM search_term CROSS JOIN LATERAL unnest(tsvector_to_array(terms)) AS own (term)
       WHERE search_term.key >= $1::bigint * 512 AND search_term.key < ($1::bigint + 1) * 512 AND search_term.part = 0)
    ELSE
      (SELECT terms FROM search_term WHERE search_term.key = $1::bigint * 512 + $2 AND search_term.part = $3)
    END;
  END;

CREATE UNIQUE INDEX search_bearer_entity ON search_bearer (entity, name, part);
-- Every search goes through the list of what is not yet in the index, so it is kept short.
CREATE INDEX search_bearer_terms ON search_bearer USING gin (search_terms_of(entity, name, part)) WITH (gin_pending_list_limit = 256);
-- No plan is made by how terms are distributed.
ALTER INDEX search_bearer_terms ALTER COLUMN 1 SET STATISTICS 0;
