-- An entity is known once anything names it; it exists when its key aspect is stored (present = 1).
CREATE TABLE entity (
  id      INTEGER PRIMARY KEY,
  urn     TEXT    NOT NULL UNIQUE,
  type    TEXT    NOT NULL,
  present INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX entity_present ON entity (type, id) WHERE present = 1;

-- Names of aspects and fragments as small numbers, so that everything of one entity lies together under its id.
CREATE TABLE name (
  id   INTEGER PRIMARY KEY,
  text TEXT    NOT NULL UNIQUE
) STRICT;

-- Latest versions. key = entity.id * 512 + name.id. body NULL is a tombstone: removed, its version still counts.
CREATE TABLE aspect (
  key      INTEGER PRIMARY KEY,
  version  INTEGER NOT NULL,
  body     TEXT,
  system   TEXT,
  time     INTEGER NOT NULL,
  actor    TEXT    NOT NULL,
  checksum INTEGER NOT NULL
) STRICT;

CREATE TABLE aspect_history (
  key      INTEGER NOT NULL,
  version  INTEGER NOT NULL,
  body     TEXT,
  system   TEXT,
  time     INTEGER NOT NULL,
  actor    TEXT    NOT NULL,
  checksum INTEGER NOT NULL,
  PRIMARY KEY (key, version)
) STRICT;

-- Edges derived from aspect bodies; aspect is the name.id of the aspect that says so.
CREATE TABLE relationship (
  destination INTEGER NOT NULL,
  kind        TEXT    NOT NULL,
  source      INTEGER NOT NULL,
  path        TEXT    NOT NULL,
  aspect      INTEGER NOT NULL,
  PRIMARY KEY (destination, kind, source, path, aspect)
) STRICT, WITHOUT ROWID;
CREATE INDEX relationship_source ON relationship (source, kind);

-- Pre-serialised pieces of answers. key as in aspect.
CREATE TABLE fragment (
  key      INTEGER PRIMARY KEY,
  body     TEXT    NOT NULL,
  checksum INTEGER NOT NULL
) STRICT;

-- Trees: parent is an entity.id, 0 at the root.
CREATE TABLE placement (
  entity INTEGER PRIMARY KEY,
  type   TEXT    NOT NULL,
  parent INTEGER NOT NULL,
  name   TEXT    NOT NULL
) STRICT;
CREATE INDEX placement_children ON placement (type, parent, name, entity);

-- The change log: sequence counts from 1 without gaps; commit_sequence is the first sequence of the same command.
CREATE TABLE change (
  sequence        INTEGER PRIMARY KEY,
  commit_sequence INTEGER NOT NULL,
  time            INTEGER NOT NULL,
  actor           TEXT    NOT NULL,
  command         TEXT    NOT NULL,
  entity          INTEGER NOT NULL,
  aspect          INTEGER NOT NULL,
  version_before  INTEGER NOT NULL,
  version_after   INTEGER NOT NULL,
  removed         INTEGER NOT NULL,
  checksum        INTEGER NOT NULL
) STRICT;
