-- The same tables and columns as the embedded store. Text is compared by bytes (COLLATE "C") wherever order matters.

-- An entity is known once anything names it; it exists when its key aspect is stored (present = 1).
CREATE TABLE entity (
  id      bigint  PRIMARY KEY,
  urn     text    COLLATE "C" NOT NULL UNIQUE,
  type    text    COLLATE "C" NOT NULL,
  present integer NOT NULL DEFAULT 0
);
CREATE INDEX entity_present ON entity (type, id) WHERE present = 1;

-- Names of aspects and fragments as small numbers, so that everything of one entity lies together under its id.
CREATE TABLE name (
  id   bigint PRIMARY KEY,
  text text   COLLATE "C" NOT NULL UNIQUE
);

-- Latest versions. key = entity.id * 512 + name.id. body NULL is a tombstone: removed, its version still counts.
CREATE TABLE aspect (
  key      bigint PRIMARY KEY,
  version  bigint NOT NULL,
  body     text,
  system   text,
  time     bigint NOT NULL,
  actor    text   NOT NULL,
  checksum bigint NOT NULL
);

CREATE TABLE aspect_history (
  key      bigint NOT NULL,
  version  bigint NOT NULL,
  body     text,
  system   text,
  time     bigint NOT NULL,
  actor    text   NOT NULL,
  checksum bigint NOT NULL,
  PRIMARY KEY (key, version)
);

-- Edges derived from aspect bodies; aspect is the name.id of the aspect that says so. An index row holds no more than
-- 2.7 kB, which a field path may exceed, so its hash stands for it.
CREATE TABLE relationship (
  destination bigint NOT NULL,
  kind        text   COLLATE "C" NOT NULL,
  source      bigint NOT NULL,
  path        text   COLLATE "C" NOT NULL,
  aspect      bigint NOT NULL
);
CREATE UNIQUE INDEX relationship_destination ON relationship (destination, kind, source, aspect, md5(path));
CREATE INDEX relationship_source ON relationship (source, kind);

-- Pre-serialised pieces of answers. key as in aspect.
CREATE TABLE fragment (
  key      bigint PRIMARY KEY,
  body     text   NOT NULL,
  checksum bigint NOT NULL
);

-- Trees: parent is an entity.id, 0 at the root. Of a long name the index knows the beginning.
CREATE TABLE placement (
  entity bigint PRIMARY KEY,
  type   text   COLLATE "C" NOT NULL,
  parent bigint NOT NULL,
  name   text   COLLATE "C" NOT NULL
);
CREATE INDEX placement_children ON placement (type, parent, (left(name, 200)));

-- The change log: sequence counts from 1 without gaps; commit_sequence is the first sequence of the same command.
CREATE TABLE change (
  sequence        bigint  PRIMARY KEY,
  commit_sequence bigint  NOT NULL,
  time            bigint  NOT NULL,
  actor           text    NOT NULL,
  command         text    NOT NULL,
  entity          bigint  NOT NULL,
  aspect          bigint  NOT NULL,
  version_before  bigint  NOT NULL,
  version_after   bigint  NOT NULL,
  removed         integer NOT NULL,
  checksum        bigint  NOT NULL
);
