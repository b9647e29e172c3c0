import { closeSync, existsSync, mkdirSync, openSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { isHoldpointError } from '@holdpoint/core'
import { storeError } from '../shared/errors.ts'
import { migrate } from './schema.ts'

/** Opens or creates the file, in WAL mode with a disk flush at every commit, and migrates it. */
export function openFile(path: string): DatabaseSync {
  const sqlite = nodeSqlite()
  let db: DatabaseSync | undefined
  try {
    if (path !== ':memory:') makePrivateFile(path)
    db = new sqlite.DatabaseSync(path)
    // SQLite's own busy timeout would block the event loop, so `patiently` waits for locks in JavaScript.
    db.exec('PRAGMA busy_timeout = 0; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL')
    migrate(db, path)
    return db
  } catch (error) {
    db?.close()
    throw isUnwritable(error) ? unwritable(path, error) : error
  }
}

/**
 * Returns `node:sqlite`. Throws if the runtime does not have it. The store calls this when it is created, because a
 * later retry would not help.
 */
export function nodeSqlite(): typeof import('node:sqlite') {
  // An import would not work, because bundlers drop the `node:` prefix, and this module only exists with it.
  const sqlite = process.getBuiltinModule?.('node:sqlite')
  if (sqlite) return sqlite
  throw storeError(
    'store_unavailable',
    'sqliteStore() needs node:sqlite, which this runtime does not have. Use Node 22.13 or newer, or another store.',
  )
}

/** Returns the file's identity on its disk, or undefined for a database in memory and for a deleted file. */
export function identityOf(path: string): string | undefined {
  if (path === ':memory:') return undefined
  const found = statSync(path, { bigint: true, throwIfNoEntry: false })
  return found && `${found.dev}:${found.ino}`
}

/**
 * Creates the file so that only this user can read it, because it contains questions and answers. A new folder gets a
 * `.gitignore`, so that the file is not committed with the project.
 */
function makePrivateFile(path: string): void {
  const folder = dirname(path)
  if (!existsSync(folder)) {
    makeFolder(folder)
    const ignore = join(folder, '.gitignore')
    if (!existsSync(ignore)) writeFileSync(ignore, '*\n')
  }
  // SQLite creates its log and its index with the same permissions as the file.
  if (!existsSync(path)) closeSync(openSync(path, 'a', 0o600))
}

/**
 * Creates a folder and its parents. `mkdir({ recursive })` never returns below a file system like /proc, where a parent
 * exists but cannot have new children.
 */
function makeFolder(path: string): void {
  if (existsSync(path)) return
  if (dirname(path) !== path) makeFolder(dirname(path))
  try {
    mkdirSync(path, { mode: 0o700 })
  } catch (error) {
    // Another process may have created the folder at the same time.
    if (!existsSync(path)) throw error
  }
}

/** Returns whether an error of the file system or of SQLite means that the file cannot be created. */
function isUnwritable(error: unknown): boolean {
  if (!(error instanceof Error) || isHoldpointError(error)) return false
  if ('errcode' in error) return [8, 14].includes(Number(error.errcode) & 0xff)
  return 'code' in error && ['EROFS', 'EACCES', 'EPERM', 'ENOTDIR', 'EEXIST', 'ENOENT'].includes(String(error.code))
}

function unwritable(path: string, cause: unknown) {
  return storeError(
    'sqlite_readonly_fs',
    `The SQLite file ${path} cannot be created or written: its folder is missing, read-only, or not this user's. Serverless platforms mount the application read-only: point sqliteStore({ path }) to a writable volume that survives, or use postgresStore() or redisStore().`,
    { cause, details: { path } },
  )
}
