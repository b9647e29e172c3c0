import { isHoldpointError } from '@holdpoint/core'
import { storeError } from '../shared/errors.ts'

/** SQLite's primary result codes that the store distinguishes. */
const BUSY = 5
const LOCKED = 6
const READONLY = 8
const IOERR = 10
const CORRUPT = 11
const FULL = 13
const CANTOPEN = 14
const TOOBIG = 18
const NOTADB = 26

/** Returns the primary result code of an error of `node:sqlite`, or 0 for every other error. */
function codeOf(error: unknown): number {
  if (!(error instanceof Error) || !('errcode' in error) || typeof error.errcode !== 'number') return 0
  return error.errcode & 0xff
}

/** Returns whether another connection holds the write lock, so that a later attempt may succeed. */
export function isBusy(error: unknown): boolean {
  const code = codeOf(error)
  return code === BUSY || code === LOCKED
}

/** Returns whether one item that is too large may have caused the error for its whole group. */
export function isSeparable(error: unknown): boolean {
  return isHoldpointError(error, 'store_full') || isHoldpointError(error, 'store_invalid')
}

/** Converts an error of SQLite to a store error that says what happened, why, and what to do. */
export function sqliteError(error: unknown, path: string, during: 'read' | 'write' | 'commit'): unknown {
  if (isHoldpointError(error)) return error
  // If the disk fails during COMMIT, the commit may still turn out to be durable after a crash.
  const applied = during === 'commit' && codeOf(error) === IOERR ? 'unknown' : during !== 'read' && 'no'
  const options = { cause: error, details: { path, ...(applied && { applied }) } }
  switch (codeOf(error)) {
    case FULL:
      return storeError(
        'store_full',
        `The SQLite file ${path} cannot grow: its disk or quota is full. Nothing was written, reads still work. Free some space; the next write will succeed by itself.`,
        options,
      )
    case READONLY:
      return storeError(
        'store_readonly',
        `The SQLite file ${path} cannot be written (read-only file system, lost permission, or the file was moved). Reads still work. Make it writable again and reopen the store.`,
        options,
      )
    case CORRUPT:
    case NOTADB:
      return storeError(
        'store_corrupt',
        `The SQLite file ${path} is damaged or not a database. Stop the process, keep a copy of the file with its -wal and -shm, then restore a backup or try "sqlite3 ${path} .recover".`,
        options,
      )
    case IOERR:
      return storeError(
        'store_unavailable',
        `The disk below the SQLite file ${path} answered with an error. Check the disk and the system log; a network file system is not safe for SQLite.`,
        options,
      )
    case CANTOPEN:
      return storeError(
        'store_unavailable',
        `The SQLite file ${path} could not be opened. Check that its folder exists, is writable, and that the process may open more files.`,
        options,
      )
    case TOOBIG:
      return storeError(
        'store_invalid',
        'A row or event is larger than SQLite can hold. Store the payload elsewhere and keep its address.',
        options,
      )
    case BUSY:
    case LOCKED:
      return storeError(
        'store_busy',
        `Another process kept the SQLite file ${path} locked. Find the program that holds a transaction open (a backup, a shell, a hung process), or raise busyTimeoutMs.`,
        options,
      )
    default:
      return codeOf(error) === 0
        ? error
        : storeError('store_unavailable', `SQLite failed on ${path}: ${(error as Error).message}.`, options)
  }
}
