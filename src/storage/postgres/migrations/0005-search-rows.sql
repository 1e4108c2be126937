-- Words are made of fields where they are needed. What was there is made anew at the start (decision 26).
TRUNCATE search_entry, search_term;
ALTER TABLE search_entry DROP COLUMN words;

-- Words of names, to find what somebody mistyped (decision 29). None is taken out when the last name with it goes.
CREATE TABLE search_word (
  id   bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  word text   NOT NULL UNIQUE
);
