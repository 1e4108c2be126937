-- How often entries were made anew, which no change of the log tells of: whoever keeps some of them in memory asks for it.
ALTER TABLE search_progress ADD COLUMN rebuilds INTEGER NOT NULL DEFAULT 0;
