import { existsSync, mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { isHoldpointError } from '@holdpoint/core'
import { storeError } from '../errors.ts'
import { migrate } from './schema.ts'

/** Opens or creates the file, in WAL mode with a disk flush at every commit, and migrates it. */
export function openFile(path: string): DatabaseSync {
  const sqlite = nodeSqlite()
  let db: DatabaseSync | undefined
  try {
    if (path !== ':memory:') makeFolder(dirname(path))
    db = new sqlite.DatabaseSync(path)
    // Busy waiting would freeze the event loop of the whole process: locks are awaited in JavaScript.
    db.exec('PRAGMA busy_timeout = 0; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL')
    migrate(db, path)
    return db
  } catch (error) {
    db?.close()
    throw isUnwritable(error) ? unwritable(path, error) : error
  }
}

/** Throws where it is missing; the store asks when it is made, for no repeat would cure that. */
export function nodeSqlite(): typeof import('node:sqlite') {
  // Not an import: bundlers drop the `node:` prefix, and without it this module does not exist.
  const sqlite = process.getBuiltinModule?.('node:sqlite')
  if (sqlite) return sqlite
  throw storeError(
    'store_unavailable',
    'sqliteStore() needs node:sqlite, which this runtime does not have. Use Node 22.13 or newer, or another store.',
  )
}

/** `mkdir({ recursive })` never returns below a file system like /proc, where a parent exists and takes no child. */
function makeFolder(path: string): void {
  if (existsSync(path)) return
  if (dirname(path) !== path) makeFolder(dirname(path))
  try {
    mkdirSync(path)
  } catch (error) {
    // Two processes may start at once.
    if (!existsSync(path)) throw error
  }
}

/** What the file system says when nothing can be created there, and what SQLite makes of it. */
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
