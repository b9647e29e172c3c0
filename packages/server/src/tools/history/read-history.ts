import type { Holdpoint, UserRef } from '../../holdpoint.ts'
import { engineOf } from '../../http/mounted.ts'
import { logPages } from '../../store/every-page.ts'
import type { LogEvent } from './read-log.ts'

/**
 * Returns all events of a session that its user may read, oldest first. Returns none if there is no such session.
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
  for await (const page of logPages(engine.store, engine.partition(session))) {
    for (const { json } of page.events) events.push(JSON.parse(json) as LogEvent)
  }
  return events
}
