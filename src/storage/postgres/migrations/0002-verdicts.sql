-- What is kept for metadata tests, beside the aspects and derived from them. The same tables and columns as the embedded
-- store.

-- One wide row for each entity that a test may ask about; lists hold test_value.id, ascending.
CREATE TABLE test_row (
  entity                  bigint    PRIMARY KEY,
  type                    text      COLLATE "C" NOT NULL,
  removed                 integer   NOT NULL,
  platform_instance       integer[] NOT NULL,
  sub_types               integer[] NOT NULL,
  owners                  integer[] NOT NULL,
  ownerships              integer[] NOT NULL,
  tags                    integer[] NOT NULL,
  terms                   integer[] NOT NULL,
  domains                 integer[] NOT NULL,
  container               integer[] NOT NULL,
  deprecation             integer[] NOT NULL,
  structured_properties   integer[] NOT NULL,
  column_profiles         integer[] NOT NULL,
  columns                 integer   NOT NULL,
  described_columns       integer   NOT NULL,
  upstreams               integer   NOT NULL,
  ingested_length         integer   NOT NULL,
  ingested_trimmed_length integer   NOT NULL,
  edited_length           integer   NOT NULL,
  edited_trimmed_length   integer   NOT NULL
);
CREATE INDEX test_row_type ON test_row (type, entity);

-- The dictionary of the lists. A text may be longer than an index row can be, so its hash stands for it; that no text is
-- there twice, the one writer sees to.
CREATE TABLE test_value (
  id       integer PRIMARY KEY,
  property text    COLLATE "C" NOT NULL,
  text     text    COLLATE "C" NOT NULL
);
CREATE INDEX test_value_text ON test_value (property, md5(text));

-- Verdicts of one test (an entity.id) for the entities whose id / 8192 is the chunk, as sets of ids.
CREATE TABLE test_verdict (
  chunk           integer NOT NULL,
  test            bigint  NOT NULL,
  passing         bytea   NOT NULL,
  failing         bytea   NOT NULL,
  exempt          bytea   NOT NULL,
  undecided       bytea   NOT NULL,
  passing_count   integer NOT NULL,
  failing_count   integer NOT NULL,
  exempt_count    integer NOT NULL,
  undecided_count integer NOT NULL,
  PRIMARY KEY (chunk, test)
);
-- The counts lie in the index, so that nobody reads bitmaps to add them up.
CREATE INDEX test_verdict_counts ON test_verdict (test, chunk)
  INCLUDE (passing_count, failing_count, exempt_count, undecided_count);

-- How verdicts changed: ids ascend with time.
CREATE TABLE test_change (
  id             bigint  PRIMARY KEY,
  test           bigint  NOT NULL,
  chunk          integer NOT NULL,
  time           bigint  NOT NULL,
  sequence       bigint  NOT NULL,
  definition_md5 text    NOT NULL,
  to_passing     bytea   NOT NULL,
  to_failing     bytea   NOT NULL,
  to_exempt      bytea   NOT NULL,
  to_none        bytea   NOT NULL,
  passing_delta  integer NOT NULL,
  failing_delta  integer NOT NULL,
  exempt_delta   integer NOT NULL
);
CREATE INDEX test_change_test ON test_change (test, id);
CREATE INDEX test_change_chunk ON test_change (test, chunk, id);
CREATE INDEX test_change_time ON test_change (test, time) INCLUDE (passing_delta, failing_delta, exempt_delta);

-- JSON texts of the engine by kind and key.
CREATE TABLE test_record (
  kind text COLLATE "C" NOT NULL,
  key  text COLLATE "C" NOT NULL,
  text text NOT NULL,
  PRIMARY KEY (kind, key)
);
