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

/** The file's identity on its disk; undefined for a database in memory and for a deleted file. */
export function identityOf(path: string): string | undefined {
  if (path === ':memory:') return undefined
  const found = statSync(path, { bigint: true, throwIfNoEntry: false })
  return found && `${found.dev}:${found.ino}`
}

/**
 * The file contains questions and answers, so it is readable by this user only, and is not committed with the project
 * around it.
 */
function makePrivateFile(path: string): void {
  const folder = dirname(path)
  if (!existsSync(folder)) {
    makeFolder(folder)
    const ignore = join(folder, '.gitignore')
    if (!existsSync(ignore)) writeFileSync(ignore, '*\n')
  }
  // SQLite gives its log and its index the rights of the file.
  if (!existsSync(path)) closeSync(openSync(path, 'a', 0o600))
}

/** `mkdir({ recursive })` never returns below a file system like /proc, where a parent exists and takes no child. */
function makeFolder(path: string): void {
  if (existsSync(path)) return
  if (dirname(path) !== path) makeFolder(dirname(path))
  try {
    mkdirSync(path, { mode: 0o700 })
  } catch (error) {
    // Two processes may start at once.
    if (!existsSync(path)) throw error
  }
}

/** The errors of the file system and of SQLite if the file cannot be created. */
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
