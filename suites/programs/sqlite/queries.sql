-- Joins, grouping, sub-queries, views, common table expressions, windows.
.headers on
.nullvalue NULL
CREATE TABLE author (id INTEGER PRIMARY KEY, name TEXT NOT NULL, born INTEGER);
CREATE TABLE book (
  id INTEGER PRIMARY KEY,
  title TEXT NOT NULL,
  author INTEGER REFERENCES author(id),
  year INTEGER,
  price REAL
);
CREATE INDEX book_by_author ON book(author, year);
INSERT INTO author VALUES (1, 'Orla', 1950), (2, 'Pavel', 1961), (3, 'Quinn', NULL), (4, 'Rosa', 1972);
INSERT INTO book(title, author, year, price) VALUES
  ('Tides', 1, 1980, 12.5), ('Moss', 1, 1985, 9.99), ('Gears', 2, 1999, 20),
  ('Ovens', 2, 2001, NULL), ('Winter', 4, 2010, 31.25), ('Orphan', NULL, 1900, 1);

SELECT a.name, b.title FROM author a JOIN book b ON b.author = a.id ORDER BY b.year DESC;
SELECT a.name, b.title FROM author a LEFT JOIN book b ON b.author = a.id ORDER BY a.id, b.id;
SELECT a.name, b.title FROM author a FULL JOIN book b ON b.author = a.id ORDER BY 1, 2;
SELECT count(*) FROM author CROSS JOIN book;
SELECT x.name, y.name FROM author x JOIN author y ON x.born < y.born ORDER BY 1, 2;

SELECT author, count(*) AS n, sum(price), avg(price), min(title), max(year), total(price)
FROM book GROUP BY author HAVING n > 0 ORDER BY author;
SELECT year / 10 * 10 AS decade, group_concat(title, '+') FROM book GROUP BY decade ORDER BY decade;
SELECT DISTINCT price > 10 FROM book ORDER BY 1;

SELECT name FROM author WHERE id NOT IN (SELECT author FROM book WHERE author IS NOT NULL);
SELECT title FROM book b WHERE price = (SELECT max(price) FROM book WHERE author = b.author);
SELECT name, (SELECT count(*) FROM book WHERE author = author.id) FROM author;
SELECT title FROM book WHERE year > 1990 UNION SELECT name FROM author EXCEPT SELECT 'Rosa' ORDER BY 1;

CREATE VIEW catalogue AS
  SELECT a.name AS author, b.title, coalesce(b.price, 0.0) AS price FROM book b LEFT JOIN author a ON a.id = b.author;
SELECT author, round(sum(price), 2) FROM catalogue GROUP BY author;
SELECT * FROM catalogue WHERE title LIKE '%o%' ORDER BY title;

WITH RECURSIVE fibonacci(i, a, b) AS (
  SELECT 1, 0, 1 UNION ALL SELECT i + 1, b, a + b FROM fibonacci WHERE i < 20
) SELECT group_concat(a) FROM fibonacci;
WITH RECURSIVE
  tree(node, parent) AS (VALUES (1, NULL), (2, 1), (3, 1), (4, 2), (5, 4), (6, 3)),
  path(node, depth, trail) AS (
    SELECT node, 0, '' || node FROM tree WHERE parent IS NULL
    UNION ALL
    SELECT tree.node, depth + 1, trail || '>' || tree.node FROM tree JOIN path ON tree.parent = path.node
  )
SELECT * FROM path ORDER BY trail;

SELECT title, price, rank() OVER (ORDER BY price DESC) AS r, sum(price) OVER (ORDER BY year) AS running,
  lag(title) OVER (PARTITION BY author ORDER BY year) AS before
FROM book ORDER BY year;

SELECT CASE WHEN born IS NULL THEN 'unknown' WHEN born < 1960 THEN 'old' ELSE 'new' END, upper(name),
  substr(name, 2, 2), length(name), hex(name), printf('%05d|%.3f|%s', id, id / 3.0, name) FROM author;
SELECT typeof(1), typeof(1.0), typeof('1'), typeof(NULL), typeof(x'00'), 7 / 2, 7 % 3, 7 / 2.0, 1e300 * 1e10, -9223372036854775808;
SELECT abs(-5), round(2.567, 1), instr('hello', 'l'), replace('aXbX', 'X', '-'), trim('  x '), quote('it''s'), unicode('a'), char(65, 66);
SELECT date('2024-02-28', '+2 days'), strftime('%j %W', '2024-12-31'), julianday('2000-01-01 12:00');
SELECT json_extract('{"a": [1, {"b": "deep"}]}', '$.a[1].b'), json_array(1, 'two', NULL), json_type('[1]');
EXPLAIN QUERY PLAN SELECT * FROM book WHERE author = 1 AND year > 1980;
