import { randomBytes } from 'node:crypto'
import {
  chmodSync,
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { HoldpointError } from '../../error.ts'

// Deliberately synchronous: this process must not interrupt comparing a version and swapping a file.

/** Windows has neither modes nor this flag; the folder in the user's profile protects the file there. */
const POSIX = process.platform !== 'win32'
const NO_FOLLOW = constants.O_NOFOLLOW ?? 0
const OTHERS = 0o077

/** Creates a folder that only this user can access, or checks that an existing one is private. */
export function ensurePrivateFolder(path: string): void {
  mkdirSync(path, { recursive: true, mode: 0o700 })
  const found = lstatSync(path)
  if (!found.isDirectory()) throw unsafe(path, 'it is a symbolic link or no folder')
  if (!POSIX) return
  if (found.uid !== process.getuid?.()) throw unsafe(path, 'it belongs to another user')
  if (found.mode & OTHERS) chmodSync(path, 0o700)
}

/** Returns the content of a private file; null if it does not exist. Links are not followed. */
export function readPrivateFile(path: string): string | null {
  let file: number
  try {
    file = openSync(path, constants.O_RDONLY | NO_FOLLOW)
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null
    if (codeOf(error) === 'ELOOP' || codeOf(error) === 'EMLINK') throw unsafe(path, 'it is a symbolic link')
    throw error
  }
  try {
    const found = fstatSync(file)
    if (!found.isFile()) throw unsafe(path, 'it is no regular file')
    if (POSIX && found.uid !== process.getuid?.()) throw unsafe(path, 'it belongs to another user')
    if (POSIX && found.mode & OTHERS) fchmodSync(file, 0o600)
    return readFileSync(file, 'utf8')
  } finally {
    closeSync(file)
  }
}

/**
 * Replaces a file atomically: writes a new file that only its owner can read from its first byte, syncs it to disk,
 * then renames it.
 */
export function replacePrivateFile(path: string, text: string): void {
  if (POSIX && isLink(path)) throw unsafe(path, 'it is a symbolic link')
  const draft = `${path}.${randomBytes(8).toString('hex')}.tmp`
  try {
    const file = openSync(draft, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | NO_FOLLOW, 0o600)
    try {
      writeFileSync(file, text)
      fsyncSync(file)
    } finally {
      closeSync(file)
    }
    renameSync(draft, path)
  } catch (error) {
    rmSync(draft, { force: true })
    throw error
  }
  if (POSIX) syncFolder(dirname(path))
}

function syncFolder(path: string): void {
  const folder = openSync(path, constants.O_RDONLY)
  try {
    fsyncSync(folder)
  } finally {
    closeSync(folder)
  }
}

function isLink(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ?? false
}

export function codeOf(error: unknown): unknown {
  return (error as { code?: unknown } | null)?.code
}

function unsafe(path: string, why: string): HoldpointError {
  return new HoldpointError('unsafe_file', `Refused to use ${path} for secrets: ${why}. Remove it, and try again.`)
}
