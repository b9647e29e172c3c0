import { hash } from 'node:crypto'
import { pages } from '@holdpoint/core/internal'
import type { Store } from '@holdpoint/server/store'
import type { ClientNote, NodeNote, Task } from './messages.ts'

export interface LoggedEvent {
  seq: number
  type: string
  digest: string
  event: Record<string, unknown>
}

/** A session as the store has it in the end. */
export interface SessionLog {
  epoch: string
  events: LoggedEvent[]
}

/** All observations of a run, from all processes. */
export interface History {
  /** Milliseconds of the store's clock, when the logs were read. */
  now: number
  sessions: Map<string, SessionLog>
  tasks: readonly Task[]
  nodes: readonly NodeNote[]
  clients: readonly ClientNote[]
}

/** An inconsistency that the checker found in a history. */
export interface Violation {
  rule: string
  what: string
}

const PAGE = 1_000

/** Past the engine: one that looks must not take part. */
export async function readSession(store: Store, sessionId: string): Promise<SessionLog> {
  const events: LoggedEvent[] = []
  let epoch = ''
  const read = async (from = 1) => {
    const page = await store.readLog(`s//${sessionId}`, { from, limit: PAGE })
    return { ...page, next: page.events.length < PAGE ? undefined : (page.events.at(-1)?.seq ?? 0) + 1 }
  }
  for await (const page of pages(read)) {
    epoch = page.epoch
    for (const { seq, json } of page.events) {
      const event = JSON.parse(json) as LoggedEvent['event']
      const digest = digestOf(event)
      // Texts that flood the log are long and numerous.
      if (event.type === 'content') event.text = `${event.text}`.slice(0, 100)
      events.push({ seq, event, type: `${event.type}`, digest })
    }
  }
  return { epoch, events }
}

/** Tells events apart, on both ends of the wire. */
export const digestOf = (event: unknown) => hash('sha1', JSON.stringify(event)).slice(0, 12)

/** The life of a question, according to its session's log. */
export interface Story {
  sessionId: string
  id: string
  prompt: string
  runId: string
  expiresAt: number
  deferred: boolean
  types: string[]
  answers: { action: string; by: string; late: boolean; input?: Record<string, unknown> }[]
  closed?: string
}

/** All questions of a log, in the order in which they were asked; `upTo` ends the story early. */
export function storiesOf(sessionId: string, log: SessionLog, upTo = Number.POSITIVE_INFINITY): Story[] {
  const stories = new Map<string, Story>()
  for (const { seq, type, event } of log.events) {
    const id = event.interactionId as string | undefined
    // A user's answer is also told in words; that is no step of the question.
    if (id === undefined || seq > upTo || type === 'user_message') continue
    const story = stories.get(id) ?? begun(sessionId, id)
    stories.set(id, story)
    if (type === 'interaction_updated') {
      story.deferred ||= event.deferred === true
      continue
    }
    story.types.push(type)
    if (type === 'interaction_request') {
      story.prompt = `${event.prompt}`
      story.runId = `${event.runId}`
      story.expiresAt = Date.parse(`${event.expiresAt}`)
    } else if (type === 'interaction_response') {
      const { action, respondedBy, late, input } = event as { action: string } & Record<string, unknown>
      const by = (respondedBy as { clientId: string }).clientId
      story.answers.push({
        action,
        by,
        late: late === true,
        ...(input ? { input: input as Record<string, unknown> } : {}),
      })
    } else if (type === 'interaction_closed') story.closed = `${event.reason}`
  }
  return [...stories.values()]
}

const begun = (sessionId: string, id: string): Story => ({
  ...{ sessionId, id, prompt: '', runId: '', expiresAt: 0, deferred: false, types: [], answers: [] },
})
