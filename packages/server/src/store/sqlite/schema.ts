import type { DatabaseSync } from 'node:sqlite'
import { storeError } from '../shared/errors.ts'

/** "Hold" in the file's header, so that another program's database is rejected instead of extended. */
const APPLICATION_ID = 0x486f6c64

/**
 * One script for each version of the file, oldest first. The version is the number of scripts that have run. Published
 * scripts never change; a new version adds a script.
 */
export const migrations: readonly string[] = [
  `CREATE TABLE parts (
     part INTEGER PRIMARY KEY,
     name TEXT NOT NULL UNIQUE,
     epoch TEXT NOT NULL,
     head INTEGER NOT NULL,
     floor INTEGER NOT NULL,
     changed INTEGER NOT NULL
   ) STRICT;
   CREATE INDEX parts_changed ON parts (changed);
   CREATE TABLE events (
     part INTEGER NOT NULL,
     seq INTEGER NOT NULL,
     json TEXT NOT NULL,
     PRIMARY KEY (part, seq)
   ) STRICT, WITHOUT ROWID;
   CREATE TABLE rows (
     row INTEGER PRIMARY KEY,
     part INTEGER NOT NULL,
     kind TEXT NOT NULL,
     id TEXT NOT NULL,
     version INTEGER NOT NULL,
     due INTEGER,
     tags TEXT,
     data TEXT NOT NULL,
     UNIQUE (part, kind, id)
   ) STRICT;
   CREATE INDEX rows_due ON rows (kind, due, row) WHERE due IS NOT NULL;
   CREATE TABLE tags (
     tag TEXT NOT NULL,
     row INTEGER NOT NULL,
     PRIMARY KEY (tag, row)
   ) STRICT, WITHOUT ROWID;
   CREATE TABLE changes (counter INTEGER NOT NULL) STRICT;
   INSERT INTO changes VALUES (0);`,
]

/** Migrates a file to the newest version, all or nothing. Throws `store_newer` for a file of a newer release. */
export function migrate(db: DatabaseSync, path: string, scripts: readonly string[] = migrations): void {
  if (versionOf(db, path, scripts.length) === scripts.length) return
  db.exec('BEGIN IMMEDIATE')
  try {
    // Read again under the lock, because another process may have been faster.
    for (const script of scripts.slice(versionOf(db, path, scripts.length))) db.exec(script)
    db.exec(`PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${scripts.length}; COMMIT`)
  } catch (error) {
    db.exec('ROLLBACK')
    throw error
  }
}

function versionOf(db: DatabaseSync, path: string, newest: number): number {
  const version = pragma(db, 'user_version')
  const application = pragma(db, 'application_id')
  const tables = db.prepare('SELECT count(*) AS count FROM sqlite_schema').get()?.count
  if (application !== APPLICATION_ID && tables !== 0) {
    throw storeError(
      'store_invalid',
      `The file ${path} is the SQLite database of another program. Give Holdpoint a file of its own.`,
      { details: { path } },
    )
  }
  if (version > newest) {
    throw storeError(
      'store_newer',
      `The SQLite file ${path} has version ${version}, this release of @holdpoint/server reads up to ${newest}. A newer release wrote it: upgrade this process, or restore the backup from before the upgrade. Nothing was changed.`,
      { details: { path, version, newest } },
    )
  }
  return version
}

function pragma(db: DatabaseSync, name: 'user_version' | 'application_id'): number {
  return Number(db.prepare(`PRAGMA ${name}`).get()?.[name])
}
