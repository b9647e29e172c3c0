import type { Connections } from '../pool/connections.ts'

export interface PollerOptions {
  schema: string
  author: string
  /** Milliseconds until the next query; called before each wait. */
  intervalMs(): number
  onPartitions(partitions: readonly string[]): void
}

/**
 * Finds commits of other processes by polling. Transactions do not end in the order in which they began. Each query
 * therefore starts at the oldest transaction that was open during the last query, and skips those already reported, so
 * that no commit is missed.
 */
export function createPoller(connections: Connections, options: PollerOptions): { hurry(): void; close(): void } {
  const told = new Set<string>()
  let from: string | undefined
  let timer: NodeJS.Timeout | undefined
  let closed = false
  let looking = false

  const look = async () => {
    looking = true
    try {
      const rows = await connections.read(
        `SELECT * FROM ${options.schema}.changes_1($1, $2)`,
        // The first query only determines the current position.
        [from ?? '9223372036854775807', options.author],
      )
      const fresh = rows.filter(({ xid }) => typeof xid === 'string' && !told.has(xid))
      from = String(rows[0]?.horizon)
      for (const { xid } of fresh) told.add(String(xid))
      for (const xid of told) if (BigInt(xid) < BigInt(from)) told.delete(xid)
      const names = new Set(fresh.flatMap((row) => row.names as string[]))
      if (names.size > 0 && !closed) options.onPartitions([...names])
    } catch {
      // The database is unavailable. Other calls reject with the named error, and the next query catches up.
    }
    looking = false
    wait()
  }

  const wait = () => {
    if (closed || looking) return
    clearTimeout(timer)
    timer = setTimeout(() => void look(), options.intervalMs())
    timer.unref()
  }

  void look()

  return {
    /** Starts the wait again, because the interval may have become shorter. */
    hurry: wait,
    close() {
      closed = true
      clearTimeout(timer)
    },
  }
}
