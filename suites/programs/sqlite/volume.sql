-- Enough rows for trees of several levels, sorting, deletion and compaction.
CREATE TABLE sample (k INTEGER PRIMARY KEY, hash INTEGER, text TEXT);
CREATE INDEX sample_by_hash ON sample(hash);
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3000)
INSERT INTO sample SELECT i, (i * 2654435761) % 65521, 'text of row ' || i || ' ' || hex(i * i) FROM n;
SELECT count(*), sum(hash), min(hash), max(hash), sum(length(text)) FROM sample;
SELECT k, text FROM sample ORDER BY hash LIMIT 5;
SELECT count(*) FROM sample a JOIN sample b ON b.hash = a.hash + 1;
DELETE FROM sample WHERE k % 3 = 0;
UPDATE sample SET text = text || '!' WHERE hash BETWEEN 1000 AND 9000;
SELECT count(*), sum(length(text)) FROM sample;
BEGIN;
DELETE FROM sample;
ROLLBACK;
SELECT hash % 7 AS h, count(*), max(text) FROM sample GROUP BY h ORDER BY 2 DESC, 1;
VACUUM;
PRAGMA integrity_check;
PRAGMA page_count;
.mode json
SELECT * FROM sample WHERE k IN (7, 700) ORDER BY text DESC;
.mode column
SELECT k, hash FROM sample WHERE text GLOB '*row 29[0-2]*' LIMIT 4;
