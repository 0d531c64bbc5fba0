-- Compaction and statistics of a small database; views that are written through triggers.
.headers on
CREATE TABLE item (id INTEGER PRIMARY KEY, kind TEXT NOT NULL, size INTEGER, twice INTEGER GENERATED ALWAYS AS (size * 2) STORED);
CREATE INDEX item_by_kind ON item(kind, size);
CREATE TABLE kinds (kind TEXT PRIMARY KEY, note TEXT) WITHOUT ROWID;
INSERT INTO kinds VALUES ('kind 0', 'first'), ('kind 1', NULL), ('kind 2', 'last');
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 60)
INSERT INTO item(kind, size) SELECT 'kind ' || (i % 3), (i * 37) % 101 FROM n;
ANALYZE;
SELECT tbl, idx, stat FROM sqlite_stat1 ORDER BY 1, 2;
DELETE FROM item WHERE size % 2 = 1;
VACUUM;
REINDEX item_by_kind;
PRAGMA integrity_check;
SELECT kind, count(*), sum(twice), group_concat(DISTINCT size % 5) FROM item GROUP BY kind ORDER BY kind;
CREATE VIEW noted AS SELECT item.id, size, note FROM item JOIN kinds USING (kind);
CREATE TRIGGER resize INSTEAD OF UPDATE OF size ON noted BEGIN
  UPDATE item SET size = new.size WHERE id = old.id;
END;
UPDATE noted SET size = size + 1000 WHERE note = 'last' AND size > 40;
SELECT count(*), max(size) FROM noted WHERE size > 1000;
CREATE TEMP TABLE picked AS SELECT id FROM item WHERE size BETWEEN 10 AND 60;
SELECT count(*) FROM picked JOIN item USING (id) WHERE NOT EXISTS (SELECT 1 FROM kinds WHERE note IS NULL AND kinds.kind = item.kind);
DROP VIEW noted;
DROP TABLE kinds;
VACUUM;
SELECT name FROM sqlite_master ORDER BY name;
