import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const WAIT_MS = 200

/** Hashes the content of files, in the order of their names. A file that was only touched does not change the hash. */
export function fingerprint(dir: string, files: readonly string[]): string {
  const hash = createHash('sha256')
  for (const file of files.toSorted()) {
    const path = join(dir, file)
    if (!statSync(path).isFile()) continue
    hash.update(`${file}\0`).update(readFileSync(path)).update('\0')
  }
  return hash.digest('hex')
}

/**
 * Brings a folder up to date. `wanted` computes the fingerprint of the sources; `stamp` is the file that holds the
 * fingerprint of the last build. Several processes that call this at the same time build once.
 */
export async function upToDate(
  lock: string,
  stamp: string,
  wanted: () => string,
  perform: (fingerprint: string) => Promise<boolean>,
): Promise<boolean> {
  for (;;) {
    if (read(stamp) === wanted()) return true
    if (acquire(lock)) break
    await new Promise((resolve) => setTimeout(resolve, WAIT_MS))
  }
  try {
    const now = wanted()
    return read(stamp) === now || (await perform(now))
  } finally {
    rmSync(lock, { recursive: true, force: true })
  }
}

function read(stamp: string): string | undefined {
  return existsSync(stamp) ? readFileSync(stamp, 'utf8') : undefined
}

/** Returns whether this process holds the lock now. The lock of a process that died is removed. */
function acquire(lock: string): boolean {
  try {
    mkdirSync(lock)
    writeFileSync(join(lock, 'pid'), String(process.pid))
    return true
  } catch {
    try {
      process.kill(Number(readFileSync(join(lock, 'pid'), 'utf8')), 0)
    } catch (error) {
      // ESRCH: the process is gone. A lock without a number was created a moment ago.
      if ((error as NodeJS.ErrnoException).code === 'ESRCH') rmSync(lock, { recursive: true, force: true })
    }
    return false
  }
}
