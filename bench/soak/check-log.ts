import { type History, type Story, storiesOf, type Violation } from './history.ts'

/** The time after its deadline in which a question must end. */
const GRACE_MS = 10_000
const ALLOWED = new Set([
  'interaction_request',
  'interaction_request interaction_response',
  'interaction_request interaction_response interaction_closed',
  'interaction_request interaction_closed',
])

/** Checks the invariants of the store's logs, and of the responses to answers. */
export function checkLog(history: History): Violation[] {
  const found: Violation[] = []
  const against = (rule: string, what: string) => void found.push({ rule, what })
  const stories = new Map<string, Story>()
  for (const [sessionId, log] of history.sessions) {
    log.events.forEach(({ seq }, index) => {
      if (seq !== index + 1) against('log without gaps', `${sessionId}: number ${seq} is at place ${index + 1}`)
    })
    for (const story of storiesOf(sessionId, log)) {
      stories.set(story.id, story)
      if (!ALLOWED.has(story.types.join(' '))) against('one answer', `${story.id}: ${story.types.join(', ')}`)
      const open = story.answers.length === 0 && story.closed === undefined && !story.deferred
      if (open && story.expiresAt + GRACE_MS < history.now) {
        const late = Math.round((history.now - story.expiresAt) / 1_000)
        against('no question hangs', `${story.id} (${story.prompt}) is open ${late} s after its deadline`)
      }
    }
    for (const [text, times] of countedTexts(log.events)) {
      if (times > 1) against('said once', `${sessionId}: "${text}" stands ${times} times in the log`)
    }
  }

  const winners = new Map<string, Set<string>>()
  for (const note of history.clients) {
    const [what, , clientId, interactionId, detail] = note
    if (what === 'accepted') {
      winners.set(interactionId, (winners.get(interactionId) ?? new Set()).add(clientId))
      const kept = stories.get(interactionId)?.answers ?? []
      if (!kept.some(({ action, by }) => action === detail && by === clientId)) {
        const said = kept.map(({ action, by }) => `${action} by ${by}`).join(', ') || 'nothing'
        against('acknowledged is kept', `${interactionId}: ${detail} by ${clientId} was accepted, the log says ${said}`)
      }
    } else if (what === 'lost') {
      const winner = stories.get(interactionId)?.answers[0]?.by
      if (winner !== detail)
        against('losers receive the winner', `${interactionId}: ${clientId} received ${detail}, it was ${winner}`)
    } else if (what === 'odd') against('no unexpected response', `${clientId} ${interactionId}: ${detail}`)
  }
  for (const [interactionId, who] of winners) {
    if (who.size > 1) against('one winner', `${interactionId}: ${[...who].join(' and ')} were accepted`)
  }

  const cancelled = new Set(history.clients.flatMap((note) => (note[0] === 'cancelled' ? [note[3]] : [])))
  for (const { id, runId, answers, closed } of stories.values()) {
    if (cancelled.has(runId) && answers.length === 0 && closed === undefined)
      against('a cancelled run asks nothing', `${id} of ${runId} is open`)
  }
  for (const note of history.nodes) {
    if (note[0] !== 'emitted') continue
    const [, , sessionId, text] = note
    const there = history.sessions.get(sessionId)?.events.some(({ event }) => `${event.text}`.startsWith(text))
    if (!there) against('acknowledged is kept', `${sessionId}: "${text}" was written and is not in the log`)
  }
  return found
}

/** Each text contains a unique mark. */
function countedTexts(events: readonly { type: string; event: Record<string, unknown> }[]): Map<string, number> {
  const counted = new Map<string, number>()
  for (const { type, event } of events) {
    if (type !== 'content') continue
    const text = `${event.text}`.slice(0, 100)
    counted.set(text, (counted.get(text) ?? 0) + 1)
  }
  return counted
}
