import { readFileSync } from 'node:fs'

/** The holder of a lock, as stored in the lock file. */
export interface LockHolder {
  pid: number
  host: string
  /** Distinguishes a process from a later one with the same number, if the system reports start times. */
  started?: string
  nonce: string
}

export interface Here {
  host: string
  /** When a process of this machine was started; undefined if it does not run. */
  startOf(pid: number): string | undefined
}

/** The process of another machine cannot be checked. No lock is held for this long. */
const FOREIGN_MS = 60_000

/**
 * Returns true if a lock's holder has ended. A live holder keeps it for any time: taking a lock from a suspended
 * process is how two processes come to refresh one token.
 */
export function isAbandoned(holder: LockHolder | null, ageMs: number, here: Here): boolean {
  // Not written yet, or written by another program.
  if (!holder || holder.host !== here.host) return ageMs > FOREIGN_MS
  const started = here.startOf(holder.pid)
  return started === undefined || (holder.started !== undefined && started !== '' && started !== holder.started)
}

export function parseHolder(text: string): LockHolder | null {
  try {
    const { pid, host, started, nonce } = JSON.parse(text) as Partial<LockHolder>
    if (typeof pid !== 'number' || typeof host !== 'string' || typeof nonce !== 'string') return null
    return { pid, host, nonce, ...(typeof started === 'string' ? { started } : {}) }
  } catch {
    return null
  }
}

/** Returns '' if the process runs and the system reports no start time. */
export function startOf(pid: number): string | undefined {
  try {
    process.kill(pid, 0)
  } catch (error) {
    if ((error as { code?: string }).code === 'ESRCH') return undefined
  }
  try {
    // The name in field 2 may contain spaces and brackets; the start time is the 20th field after it.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ')
    return fields?.[0] === 'Z' ? undefined : (fields?.[19] ?? '')
  } catch {
    return ''
  }
}
