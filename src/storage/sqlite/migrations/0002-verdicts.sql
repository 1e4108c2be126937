-- What metadata tests ask about an entity, in one row, derived from its aspects. A list column holds numbers of test_value,
-- ascending, with a comma before and after each (,12,57,); it is empty where there is nothing.
CREATE TABLE test_row (
  entity                  INTEGER PRIMARY KEY,
  type                    TEXT    NOT NULL,
  removed                 INTEGER NOT NULL,
  platform_instance       TEXT    NOT NULL,
  sub_types               TEXT    NOT NULL,
  owners                  TEXT    NOT NULL,
  ownerships              TEXT    NOT NULL,
  tags                    TEXT    NOT NULL,
  terms                   TEXT    NOT NULL,
  domains                 TEXT    NOT NULL,
  container               TEXT    NOT NULL,
  deprecation             TEXT    NOT NULL,
  structured_properties   TEXT    NOT NULL,
  column_profiles         TEXT    NOT NULL,
  columns                 INTEGER NOT NULL,
  described_columns       INTEGER NOT NULL,
  upstreams               INTEGER NOT NULL,
  ingested_length         INTEGER NOT NULL,
  ingested_trimmed_length INTEGER NOT NULL,
  edited_length           INTEGER NOT NULL,
  edited_trimmed_length   INTEGER NOT NULL
) STRICT;

-- The dictionary of the list columns; property is the name of the column in the code.
CREATE TABLE test_value (
  id       INTEGER PRIMARY KEY,
  property TEXT    NOT NULL,
  text     TEXT    NOT NULL,
  UNIQUE (property, text)
) STRICT;

-- Verdicts of one test (an entity.id) for the entities of one chunk (entity.id / 8192), as encoded sets of offsets.
CREATE TABLE test_verdict (
  chunk           INTEGER NOT NULL,
  test            INTEGER NOT NULL,
  passing         BLOB    NOT NULL,
  failing         BLOB    NOT NULL,
  exempt          BLOB    NOT NULL,
  undecided       BLOB    NOT NULL,
  passing_count   INTEGER NOT NULL,
  failing_count   INTEGER NOT NULL,
  exempt_count    INTEGER NOT NULL,
  undecided_count INTEGER NOT NULL,
  PRIMARY KEY (chunk, test)
) STRICT, WITHOUT ROWID;
-- The counts lie in the index, so that nobody reads bitmaps to add them up.
CREATE INDEX test_verdict_counts
  ON test_verdict (test, chunk, passing_count, failing_count, exempt_count, undecided_count);

-- The history of verdicts: for a test, a chunk and a moment, who arrived where, and what that did to the counts.
CREATE TABLE test_change (
  id             INTEGER PRIMARY KEY,
  test           INTEGER NOT NULL,
  chunk          INTEGER NOT NULL,
  time           INTEGER NOT NULL,
  sequence       INTEGER NOT NULL,
  definition_md5 TEXT    NOT NULL,
  to_passing     BLOB    NOT NULL,
  to_failing     BLOB    NOT NULL,
  to_exempt      BLOB    NOT NULL,
  to_none        BLOB    NOT NULL,
  passing_delta  INTEGER NOT NULL,
  failing_delta  INTEGER NOT NULL,
  exempt_delta   INTEGER NOT NULL
) STRICT;
CREATE INDEX test_change_test ON test_change (test, id);
CREATE INDEX test_change_chunk ON test_change (test, chunk, id);
CREATE INDEX test_change_time ON test_change (test, time, passing_delta, failing_delta, exempt_delta);

-- What else the engine keeps, as JSON texts by kind and key.
CREATE TABLE test_record (
  kind TEXT NOT NULL,
  key  TEXT NOT NULL,
  text TEXT NOT NULL,
  PRIMARY KEY (kind, key)
) STRICT, WITHOUT ROWID;
