import type { Holdpoint, UserRef } from '../../holdpoint.ts'
import { engineOf } from '../../http/mounted.ts'
import type { LogEvent } from './read-log.ts'

const PAGE = 500

/**
 * All events of a session that its user may read, oldest first; none where there is no such session.
 *
 * @example
 * const messages = toModelMessages(await readHistory(holdpoint, { sessionId: 'task-42', userId: 'ada' }))
 */
export async function readHistory(
  holdpoint: Holdpoint,
  { sessionId, ...principal }: UserRef & { sessionId: string },
): Promise<LogEvent[]> {
  const engine = engineOf(holdpoint)
  const session = await engine.access(principal, sessionId, 'read')
  if (!session) return []
  const events: LogEvent[] = []
  const partition = engine.partition(session)
  for (let from = 1; ; ) {
    const page = await engine.store.readLog(partition, { from, limit: PAGE })
    for (const { json } of page.events) events.push(JSON.parse(json) as LogEvent)
    const last = page.events.at(-1)
    if (!last || last.seq >= page.head) return events
    from = last.seq + 1
  }
}
