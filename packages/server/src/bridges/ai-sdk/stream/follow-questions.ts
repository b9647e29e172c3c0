import type { HoldpointEvent } from '@holdpoint/core'
import { schemas } from '@holdpoint/core/protocol'
import type { SessionRef } from '../../../engine/api/interactions.ts'
import type { Holdpoint } from '../../../holdpoint.ts'
import { engineOf } from '../../../http/mounted.ts'
import type { Appended } from '../../../store/port.ts'
import { describe, type QuestionDescriptor } from './descriptor.ts'

const PAGE = 200
/** The interval of polling, in case notifications of the store get lost. */
const LOOK_MS = 1_000

/** Reports the open questions of a run and all later ones, each with the id of the part that shows it. */
export function followQuestions(
  holdpoint: Holdpoint,
  { session, runId, isNative }: { session: SessionRef; runId: string; isNative(toolCallId: string): boolean },
  write: (partId: string, question: QuestionDescriptor) => void,
): () => void {
  const engine = engineOf(holdpoint)
  const { store, environment } = engine
  const partition = engine.partition(session)
  /** The shown questions by interaction id. A question that replaces another one keeps its part. */
  const shown = new Map<string, { partId: string; question: QuestionDescriptor }>()
  let next: number | undefined
  let stopped = false
  let looking = false
  let again = false
  let timer: unknown

  const show = (partId: string, question: QuestionDescriptor) => {
    shown.set(question.interactionId, { partId, question })
    if (!stopped) write(partId, question)
  }

  async function start() {
    const pending = await engine.reads.pending(session, runId)
    next = pending.next
    for (const one of pending.interactions) if (!one.atGate) show(one.interactionId, describe(one))
  }

  function tellOf(event: HoldpointEvent) {
    const parsed = schemas.knownEvent.safeParse(event)
    if (!parsed.success) return
    const { data } = parsed
    switch (data.type) {
      case 'interaction_request':
        if (data.runId === runId && !isNative(data.toolCallId)) {
          show(shown.get(data.replaces ?? '')?.partId ?? data.interactionId, describe({ request: data, runId }))
        }
        break
      case 'auth_needed':
        if (data.generationId === runId && !isNative(data.toolCallId))
          show(data.interactionId, describe({ request: data, runId }))
        break
      case 'interaction_response':
      case 'auth_result':
      case 'interaction_closed': {
        const known = shown.get(data.interactionId)
        const status = data.type === 'interaction_closed' ? 'closed' : 'answered'
        if (known) show(known.partId, { ...known.question, status })
      }
    }
  }

  async function poll() {
    if (looking) {
      again = true
      return
    }
    looking = true
    try {
      do {
        again = false
        if (next === undefined) {
          await start()
          continue
        }
        const page = await store.readLog(partition, { from: next, limit: PAGE })
        if (stopped) return
        for (const { seq, json } of page.events) {
          next = seq + 1
          tellOf(JSON.parse(json) as HoldpointEvent)
        }
        again ||= page.events.length === PAGE
      } while (again && !stopped)
    } catch {
      // An error here must not end the chat, because the client also receives the question from its own event stream.
    } finally {
      looking = false
    }
  }

  /** Takes the events that this process appended. Returns false if they do not continue what was read. */
  function take(appended: readonly Appended[] | undefined): boolean {
    if (!appended || looking || next === undefined) return false
    for (const { firstSeq, events } of appended.filter(({ events }) => events.length > 0)) {
      if (firstSeq !== next) return false
      next += events.length
      for (const json of events) tellOf(JSON.parse(json) as HoldpointEvent)
    }
    return true
  }

  const unsubscribe = store.subscribe((partitions, own) => {
    if (partitions.includes(partition) && !take(own.get(partition))) void poll()
  })
  const tick = () => {
    void poll()
    timer = environment.setTimeout(tick, LOOK_MS, false)
  }
  tick()
  return () => {
    stopped = true
    unsubscribe()
    environment.clearTimeout(timer)
  }
}
