import { rmSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'

/** One transaction as small as a durable one can be: an insert into node:sqlite with FULL durability. */
export function bareSqlite(path: string) {
  const db = new DatabaseSync(path)
  db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; CREATE TABLE t (id INTEGER PRIMARY KEY, data TEXT)')
  const insert = db.prepare('INSERT INTO t (data) VALUES (?)')
  return {
    commit: (data: string) => void insert.run(data),
    close() {
      db.close()
      rmSync(path)
    },
  }
}
