import type { HoldpointClient } from '@holdpoint/core'
import type { SpokenMessages } from '@holdpoint/core/internal'
import { cardViewOf } from '@holdpoint/core/internal/words'

import type { Clock } from '../base/clock.ts'
import { isAtQuestion } from '../base/question-in.ts'
import { SETTLE_MS } from '../base/settle.ts'
import type { Names } from '../wording/names.ts'
import { outcomeAloud, type Reader } from '../wording/outcome-text.ts'
import { announceAsked } from './announce-asked.ts'
import type { Announcer } from './announcer.ts'

/** Announces the beginning and the end of questions that have no card on the page. Returns an unsubscribe function. */
export function watchQuestions(
  client: HoldpointClient,
  announcer: Announcer,
  words: () => Names & { messages: SpokenMessages; locale: string; now: number; device: Reader['device'] },
  clock: Clock,
): () => void {
  let waiting: ReadonlySet<string> = new Set()
  const timers = new Set<unknown>()
  /** Announces the end of a question. If its tool may still ask again, the announcement waits until it did not. */
  const settle = (id: string, atOnce: boolean) => {
    const session = client.getSnapshot()
    const interaction = session.interactions.get(id)
    // Asked again: the next prompt is announced in its place.
    if (!interaction || interaction.replacedBy) return
    const { state, settling } = cardViewOf(interaction, session, 0)
    if (!settling || atOnce) {
      const { messages, ...reader } = words()
      const here = { userId: session.you?.userId, isHere: isAtQuestion(id) }
      announcer.settled(id, outcomeAloud(interaction, state, messages, { ...reader, ...here }))
      return
    }
    const timer = clock.setTimeout(() => {
      timers.delete(timer)
      settle(id, true)
    }, SETTLE_MS)
    timers.add(timer)
  }
  const announceChanges = () => {
    const { pendingIds, interactions, clockOffset } = client.getSnapshot()
    const { messages, locale, now, tools, integrations } = words()
    const before = waiting
    waiting = new Set(pendingIds)
    for (const id of pendingIds) {
      const interaction = interactions.get(id)
      if (interaction && !before.has(id)) {
        announceAsked(announcer, interaction, messages, { now: now + clockOffset, locale, tools, integrations })
      }
    }
    for (const id of before) if (!waiting.has(id)) settle(id, false)
  }
  announceChanges()
  const unsubscribe = client.subscribe(announceChanges, 'pending')
  return () => {
    unsubscribe()
    for (const timer of timers) clock.clearTimeout(timer)
  }
}
