import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { READS } from './reader.ts'
import { migrate, migrations } from './schema.ts'

const version = (db: DatabaseSync) => db.prepare('PRAGMA user_version').get()?.user_version

test('a new file gets every version, and a second migration changes nothing', () => {
  const db = new DatabaseSync(':memory:')
  migrate(db, 'x.db')
  expect(version(db)).toBe(migrations.length)
  migrate(db, 'x.db')
  expect(version(db)).toBe(migrations.length)
})

test('a file of an older version is migrated with its content', () => {
  const db = new DatabaseSync(':memory:')
  const next = 'ALTER TABLE parts ADD COLUMN note TEXT; UPDATE parts SET note = name;'
  migrate(db, 'x.db')
  db.exec("INSERT INTO parts (name, epoch, head, floor, changed) VALUES ('p', 'e', 0, 1, 0)")
  migrate(db, 'x.db', [...migrations, next])
  expect(version(db)).toBe(migrations.length + 1)
  expect(db.prepare('SELECT name, note FROM parts').all()).toMatchObject([{ name: 'p', note: 'p' }])
})

test('a migration that fails leaves the file at its version', () => {
  const db = new DatabaseSync(':memory:')
  migrate(db, 'x.db')
  const broken = 'CREATE TABLE half (a INTEGER); INSERT INTO nowhere VALUES (1);'
  expect(() => migrate(db, 'x.db', [...migrations, broken])).toThrow('nowhere')
  expect(version(db)).toBe(migrations.length)
  expect(db.prepare("SELECT count(*) AS count FROM sqlite_schema WHERE name = 'half'").get()?.count).toBe(0)
})

test('a file of a newer release is rejected with a code and not changed', () => {
  const db = new DatabaseSync(':memory:')
  migrate(db, 'x.db', [...migrations, 'CREATE TABLE later (a INTEGER)'])
  expect(() => migrate(db, 'x.db')).toThrow(expect.objectContaining({ code: 'store_newer' }))
  expect(version(db)).toBe(migrations.length + 1)
})

test('the database of another program is rejected and not changed', () => {
  const db = new DatabaseSync(':memory:')
  db.exec('CREATE TABLE customers (name TEXT)')
  expect(() => migrate(db, 'x.db')).toThrow(expect.objectContaining({ code: 'store_invalid' }))
  expect(db.prepare('SELECT name FROM sqlite_schema').all()).toMatchObject([{ name: 'customers' }])
})

test.each(Object.entries(READS))('%s uses an index', (_name, sql) => {
  const db = new DatabaseSync(':memory:')
  migrate(db, 'x.db')
  const plan = db
    .prepare(`EXPLAIN QUERY PLAN ${sql}`)
    .all()
    .map(({ detail }) => String(detail))
  expect(plan.length).toBeGreaterThan(0)
  expect(plan.filter((step) => /^SCAN|TEMP B-TREE/.test(step))).toEqual([])
})
