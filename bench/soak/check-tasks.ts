import { type History, type Story, storiesOf, type Violation } from './history.ts'
import { type NodeNote, readPrompt, type Task } from './messages.ts'

/** The effects and results of one call, as its nodes recorded them. */
interface Traces {
  effects: Map<string, Set<string>>
  handled: Set<string>
  results: Set<string>
  deliveries: Set<string>
  refused: Set<string>
  followUps: Map<string, Set<string>>
}

/** Codes that end a call for good; other codes only mean that this node does not continue it. */
const ENDS = new Set(['denied', 'declined', 'cancelled', 'expired', 'superseded'])
const WORDS: Record<string, string> = { approve: 'approved', deny: 'denied', decline: 'declined', cancel: 'cancelled' }

export function tracesOf(nodes: readonly NodeNote[]): Map<number, Traces> {
  const all = new Map<number, Traces>()
  for (const note of nodes) {
    if (note[0] === 'emitted' || note[0] === 'warned') continue
    const traces = all.get(note[2]) ?? fresh()
    all.set(note[2], traces)
    switch (note[0]) {
      case 'effect':
        add(traces.effects, note[3], note[4])
        break
      case 'handled':
        traces.handled.add(note[3])
        break
      case 'promised':
        traces.results.add(JSON.stringify(note[3]))
        break
      case 'refused':
        if (ENDS.has(note[3])) traces.refused.add(note[3])
        break
      case 'delivered':
        traces.deliveries.add(note[3])
        traces.results.add(resultIn(note[4]))
        break
      case 'follow-up':
        add(traces.followUps, note[4], note[3])
    }
  }
  return all
}

/** Returns whether some caller received the end of the call. */
export const hasEnded = (traces: Traces | undefined) =>
  !!traces && traces.results.size + traces.refused.size + traces.followUps.size > 0

/**
 * Checks that each call ends once, with the answers of the people; that its effects happen once; and that follow-ups
 * are delivered once.
 */
export function checkTasks({ sessions, tasks, nodes }: History): Violation[] {
  const found: Violation[] = []
  const against = (rule: string, what: string) => void found.push({ rule, what })
  const traces = tracesOf(nodes)
  const asked = new Map<number, Story[]>()
  const stopped = new Set<string>()
  for (const [sessionId, log] of sessions) {
    for (const story of storiesOf(sessionId, log)) {
      const { task } = readPrompt(story.prompt)
      asked.set(task, [...(asked.get(task) ?? []), story])
    }
    for (const { type, event } of log.events) {
      if (type === 'run_status' && event.status === 'cancelled') stopped.add(`${event.runId}`)
    }
  }
  for (const task of tasks) {
    const name = `task ${task.id} (${task.kind})`
    const own = traces.get(task.id) ?? fresh()
    const stories = asked.get(task.id) ?? []
    if (!hasEnded(own)) against('every call ends', `${name} has neither result nor delivery`)
    if (own.results.size > 1) against('one result', `${name}: ${[...own.results].join(' and ')}`)
    if (own.deliveries.size > 1) against('one delivery', `${name}: ${own.deliveries.size} delivery ids`)
    for (const [step, keys] of own.effects) {
      if (keys.size > 1) against('one effect', `${name}, step ${step}: ${keys.size} idempotency keys`)
    }
    for (const [id, deliveries] of own.followUps) {
      if (deliveries.size > 1) against('one delivery', `${name}: ${deliveries.size} follow-ups of ${id}`)
    }
    for (const { id, answers } of stories) {
      if (answers.some(({ late }) => late) && !own.followUps.has(id))
        against('follow-ups are delivered', `${name}: no follow-up of ${id}`)
    }
    if (!stopped.has(`run-${task.id}`)) compare(task, name, own, stories, against)
  }
  return found
}

/** Compares the result with the answers in the log. */
function compare(
  task: Task,
  name: string,
  own: Traces,
  stories: readonly Story[],
  against: (rule: string, what: string) => void,
): void {
  const result = [...own.results][0]
  if (result === undefined) return
  const steps = JSON.parse(result) as Record<string, string>
  for (const [step, outcome] of Object.entries(steps)) {
    // Words about the call, not of the people.
    if (step === 'refused' || step === 'reason' || step === 'by') continue
    const expected = outcomeOf(
      task,
      stories.filter(({ prompt }) => readPrompt(prompt).step === step),
    )
    if (outcome !== expected)
      against('the result is the answer', `${name}: ${step} came out as ${outcome}, the log says ${expected}`)
    const wanted = outcome === 'approved' || outcome.startsWith('submitted ') ? 1 : 0
    const happened = own.effects.get(step)?.size ?? 0
    if (happened !== wanted) against('one effect', `${name}, step ${step}: ${outcome}, and ${happened} effects`)
  }
  if (task.kind !== 'reprompt' && task.kind !== 'short') return
  const answered = stories.filter(({ answers }) => answers.length > 0).length
  if (own.handled.size !== answered) against('handled once', `${name}: ${answered} answers, ${own.handled.size} keys`)
}

/** Returns the expected result of a step, after its last question. */
function outcomeOf({ kind }: Task, stories: readonly Story[]): string {
  const last = stories.at(-1)
  const answer = last?.answers[0]
  if (!last) return 'never asked'
  if (kind === 'late' || kind === 'later') {
    const [first] = stories
    const pending = first?.deferred || stories.length > 1
    return pending ? 'pending' : (answer?.action ?? `${last.closed}`)
  }
  if (last.closed === 'expired' && kind === 'short') return 'timed out'
  if (last.closed !== undefined) return last.closed
  if (!answer) return 'open'
  if (answer.action === 'submit') return `submitted ${answer.input?.value}`
  return kind === 'reprompt' || kind === 'short' ? answer.action : (WORDS[answer.action] ?? answer.action)
}

const fresh = (): Traces => ({
  ...{
    effects: new Map(),
    handled: new Set(),
    results: new Set(),
    deliveries: new Set(),
    refused: new Set(),
    followUps: new Map(),
  },
})

/** Returns the text of a result; refusals and errors have their own. */
const resultIn = (result: unknown) => JSON.stringify(result)

function add(map: Map<string, Set<string>>, key: string, value: string): void {
  map.set(key, (map.get(key) ?? new Set()).add(value))
}
