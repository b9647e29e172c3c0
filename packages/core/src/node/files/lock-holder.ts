import { readFileSync } from 'node:fs'

/** Who holds a lock, as it is written into the lock file. */
export interface LockHolder {
  pid: number
  host: string
  /** Tells a process from a later one of the same number, where the system says so. */
  started?: string
  nonce: string
}

export interface Here {
  host: string
  /** When a process of this machine was started; undefined when it does not run (any more). */
  startOf(pid: number): string | undefined
}

/** A holder elsewhere cannot be looked at; nothing holds a lock for as long as this. */
const FOREIGN_MS = 60_000

/**
 * True when a lock's holder is gone. Who lives keeps it, however long it takes: taking a lock from a process that was
 * merely suspended is how two of them come to refresh one token.
 */
export function isAbandoned(holder: LockHolder | null, ageMs: number, here: Here): boolean {
  // Not yet written, or by something else.
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

/** '' when it runs and nothing more is known of it. */
export function startOf(pid: number): string | undefined {
  try {
    process.kill(pid, 0)
  } catch (error) {
    if ((error as { code?: string }).code === 'ESRCH') return undefined
  }
  try {
    // The name in field 2 may hold spaces and brackets; the start time is the 20th field after it.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ')
    return fields?.[0] === 'Z' ? undefined : (fields?.[19] ?? '')
  } catch {
    return ''
  }
}
