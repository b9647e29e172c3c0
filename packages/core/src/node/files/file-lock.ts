import { createHash, randomBytes } from 'node:crypto'
import { closeSync, openSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { TokenLock } from '../../tokens/types.ts'
import { type Here, isAbandoned, type LockHolder, parseHolder, startOf } from './lock-holder.ts'
import { codeOf, ensurePrivateFolder, readPrivateFile } from './private-files.ts'

/**
 * A crash during a takeover leaves its marker. A takeover takes microseconds, so an old marker belongs to a dead
 * process.
 */
const TAKEOVER_MS = 60_000

/**
 * A lock between processes, as a file in a private folder. The usual approach renews a folder's timestamp, and takes
 * the lock from a process that was suspended for longer than the interval, as after a laptop's sleep. This lock is
 * released only when its process has ended.
 *
 * @example
 * const folder = join(homedir(), '.config', 'my-cli')
 * createTokenManager({ store: fileTokenStore({ folder }), lock: fileLock({ folder }), refresh })
 */
export function fileLock({ folder }: { folder: string }): TokenLock {
  const here: Here = { host: hostname(), startOf }
  return {
    async run(name, waitMs, task) {
      ensurePrivateFolder(folder)
      const path = join(folder, `${createHash('sha256').update(name).digest('hex').slice(0, 24)}.lock`)
      const nonce = await acquire(path, waitMs, here)
      if (!nonce) return { held: false }
      try {
        return { held: true, value: await task() }
      } finally {
        if (holderOf(path)?.nonce === nonce) rmSync(path, { force: true })
      }
    },
  }
}

/** Waits for the lock; returns the nonce that identifies it as ours, or null on timeout. */
export async function acquire(path: string, waitMs: number, here: Here): Promise<string | null> {
  const until = performance.now() + waitMs
  for (;;) {
    const nonce = tryAcquire(path, here)
    if (nonce) return nonce
    freeIfAbandoned(path, here)
    if (performance.now() >= until) return null
    await wait(5 + Math.random() * 20)
  }
}

function tryAcquire(path: string, here: Here): string | null {
  const nonce = randomBytes(12).toString('hex')
  const started = here.startOf(process.pid)
  const holder: LockHolder = { pid: process.pid, host: here.host, nonce, ...(started ? { started } : {}) }
  return create(path, JSON.stringify(holder)) ? nonce : null
}

function freeIfAbandoned(path: string, here: Here): void {
  const seen = holderOf(path)
  if (!isAbandoned(seen, ageOf(path), here)) return
  // Two processes that find the same dead holder must not both remove its lock: the slower one would remove the faster
  // one's new lock.
  const mark = `${path}.takeover`
  if (!create(mark, '')) {
    if (ageOf(mark) > TAKEOVER_MS) rmSync(mark, { force: true })
    return
  }
  try {
    if (holderOf(path)?.nonce === seen?.nonce && isAbandoned(seen, ageOf(path), here)) rmSync(path, { force: true })
  } finally {
    rmSync(mark, { force: true })
  }
}

/** False if it exists already. */
function create(path: string, text: string): boolean {
  try {
    const file = openSync(path, 'wx', 0o600)
    try {
      writeFileSync(file, text)
    } finally {
      closeSync(file)
    }
    return true
  } catch (error) {
    // Windows reports EPERM for a file that is being deleted.
    if (codeOf(error) === 'EEXIST' || codeOf(error) === 'EPERM') return false
    throw error
  }
}

function holderOf(path: string): LockHolder | null {
  return parseHolder(readPrivateFile(path) ?? '')
}

function ageOf(path: string): number {
  const found = statSync(path, { throwIfNoEntry: false })
  return found ? Date.now() - found.mtimeMs : 0
}
