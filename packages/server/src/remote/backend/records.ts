import { isHoldpointError } from '@holdpoint/core'
import { type Environment, pause } from '../../base/environment.ts'
import type { Store } from '../../store/port.ts'

/** The stored records of a remote agent's work. They are in the session's own partition and are erased with it. */
export interface RemoteMessage {
  id: string
  role: 'user' | 'assistant'
  text: string
  /** The time by the back end's clock. */
  at: number
  artifacts?: unknown[]
}

/** A tool call of the remote agent. */
export interface ToolUse {
  type: 'TOOL_USE'
  toolCallId: string
  toolName: string
  runId?: string
  input?: unknown
  output?: unknown
  at: number
}

const CONFLICTS = 50

/**
 * Writes one record and its event in the session's log, both together and only once. `change` receives the stored
 * record and returns nothing if the message was already recorded.
 */
export async function record<T>(
  { store, environment }: { store: Store; environment: Environment },
  { partition, kind, id }: { partition: string; kind: string; id: string },
  change: (before: T | null, now: number) => { row: T; events: object[] } | null,
): Promise<void> {
  for (let tries = 0; ; tries++) {
    const { now, rows } = await store.load([{ partition, kind, id }])
    const before = rows[0] ?? null
    const next = change(before && (JSON.parse(before.data) as T), now)
    if (!next) return
    const puts = [{ kind, id, data: JSON.stringify(next.row), expect: before?.version ?? 0 }]
    try {
      const events = next.events.map((event) => JSON.stringify(event))
      if ((await store.commit({ partition, puts, events })).ok) return
    } catch (error) {
      // It is unknown whether the write happened. The next read shows it.
      if (!isHoldpointError(error, 'store_unavailable') && !isHoldpointError(error, 'store_busy')) throw error
      if (tries >= 4) throw error
    }
    if (tries >= CONFLICTS) throw new Error(`the record ${kind} was overtaken ${CONFLICTS} times`)
    await pause(environment, tries)
  }
}

/** A stored record. If the agent gave it a time, it has that time and the time of its arrival. */
type Stored<T> = T & { at: number; role?: string; receivedAt?: number }

/** Adds the times of a record that the agent sent: its own, if it gave one, and that of the arrival. */
export const agentTimes = (timestamp: number | undefined, now: number) =>
  timestamp === undefined ? { at: now } : { at: timestamp, receivedAt: now }

/**
 * Lists the records of a kind, oldest first. The agent's times are moved to the clock of the back end, so that an agent
 * whose clock is behind does not answer before it is asked: the fastest record shows the difference of the clocks. Of
 * two records in the same millisecond, the message of the user is first.
 */
export async function listRecords<T extends { at: number }>(
  store: Store,
  partition: string,
  kind: string,
): Promise<T[]> {
  const rows = (await store.list(partition, kind)).map(({ data }) => JSON.parse(data) as Stored<T>)
  const differences = rows.flatMap(({ at, receivedAt }) => (receivedAt === undefined ? [] : [receivedAt - at]))
  const difference = differences.reduce((least, one) => Math.min(least, one), Number.POSITIVE_INFINITY)
  const place = ({ role }: Stored<T>) => (role === 'user' ? 0 : 1)
  return rows
    .map(
      ({ receivedAt, ...row }) => (receivedAt === undefined ? row : { ...row, at: row.at + difference }) as Stored<T>,
    )
    .sort((a, b) => a.at - b.at || place(a) - place(b))
}
