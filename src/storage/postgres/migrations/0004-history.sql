-- The changes of one entity, for its timeline and for values as of a moment.
CREATE INDEX change_entity ON change (entity, sequence);
