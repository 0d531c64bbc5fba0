-- Transactions, savepoints, triggers, constraints and their errors.
.headers on
.nullvalue NULL
PRAGMA foreign_keys = ON;
CREATE TABLE account (id INTEGER PRIMARY KEY, owner TEXT UNIQUE NOT NULL, balance INTEGER NOT NULL CHECK (balance >= 0));
CREATE TABLE history (n INTEGER PRIMARY KEY AUTOINCREMENT, account INTEGER REFERENCES account(id) ON DELETE CASCADE, change INTEGER);
CREATE TRIGGER note AFTER UPDATE OF balance ON account WHEN new.balance <> old.balance BEGIN
  INSERT INTO history(account, change) VALUES (new.id, new.balance - old.balance);
END;
CREATE TRIGGER refuse BEFORE DELETE ON account WHEN old.balance > 0 BEGIN
  SELECT RAISE(ABORT, 'account is not empty');
END;
INSERT INTO account VALUES (1, 'ann', 100), (2, 'bob', 50), (3, 'cid', 0);

BEGIN;
UPDATE account SET balance = balance - 30 WHERE owner = 'ann';
UPDATE account SET balance = balance + 30 WHERE owner = 'bob';
COMMIT;
SELECT * FROM account;
SELECT * FROM history;

BEGIN;
UPDATE account SET balance = 0;
DELETE FROM history;
SELECT count(*), sum(balance) FROM account;
ROLLBACK;
SELECT sum(balance), (SELECT count(*) FROM history) FROM account;

BEGIN;
SAVEPOINT one;
INSERT INTO account VALUES (4, 'dee', 5);
SAVEPOINT two;
UPDATE account SET balance = balance + 1;
ROLLBACK TO two;
SELECT owner, balance FROM account ORDER BY id;
RELEASE one;
COMMIT;

-- Each of these fails.
INSERT INTO account VALUES (1, 'eve', 1);
INSERT INTO account VALUES (9, 'ann', 1);
INSERT INTO account VALUES (9, NULL, 1);
UPDATE account SET balance = balance - 1000 WHERE id = 1;
INSERT INTO history(account, change) VALUES (77, 1);
DELETE FROM account WHERE id = 1;
SELECT * FROM missing_table;
SELECT no_such_function(1);
SELEKT 1;
INSERT INTO account VALUES (1, 2);
CREATE TABLE account (x);
COMMIT;

-- And each of these copes.
INSERT OR IGNORE INTO account VALUES (1, 'eve', 1);
INSERT OR REPLACE INTO account VALUES (3, 'fay', 7);
INSERT INTO account VALUES (2, 'gus', 8) ON CONFLICT(id) DO UPDATE SET balance = balance + excluded.balance;
UPDATE account SET balance = 0 WHERE id = 2;
DELETE FROM account WHERE id = 2 RETURNING owner;
SELECT * FROM account ORDER BY id;
SELECT * FROM history ORDER BY n;
SELECT changes(), total_changes(), last_insert_rowid();
ALTER TABLE account ADD COLUMN note TEXT DEFAULT 'none';
ALTER TABLE account RENAME COLUMN owner TO holder;
SELECT * FROM account ORDER BY id DESC LIMIT 2 OFFSET 1;
DROP TRIGGER note;
DROP TABLE history;
SELECT type, name FROM sqlite_master ORDER BY name;
PRAGMA integrity_check;
