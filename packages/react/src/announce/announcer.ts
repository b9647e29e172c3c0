import { type SpokenMessages, say } from '@holdpoint/core/internal'
import type { Clock } from '../base/clock.ts'

/** Questions that arrive together are announced together. */
const GATHER_MS = 150

/** The texts for one and for several waiting questions. */
type Words = Pick<SpokenMessages, 'announceOne' | 'announceSeveral'>

/** Announces texts through a live region, each once, although several components may report them. */
export interface Announcer {
  /** A question is on screen and waits. */
  asked(interactionId: string, text: string, words: Words): void
  /** A question is asked again; `text` says what was wrong with the answer, and is announced at once. */
  refused(interactionId: string, replaces: string | undefined, text: string): void
  /** Announces the outcome of a question, if the question was announced. */
  settled(interactionId: string, outcome: string): void
  /** Announces any other text: at once, or right after the questions that are still being collected. */
  say(text: string): void
  /** Returns the text of the live region. */
  getText(): string
  subscribe(listener: () => void): () => void
  dispose(): void
}

export function createAnnouncer(clock: Clock): Announcer {
  const known = new Set<string>()
  const over = new Set<string>()
  const waiting = new Map<string, string>()
  const listeners = new Set<() => void>()
  let text = ''
  let timer: unknown
  let announceWaiting: (() => void) | undefined

  const show = (next: string) => {
    // The same sentence twice is no change, and no change is not read: an invisible one makes it a change.
    text = next === text ? `${next}\u00a0` : next
    for (const listener of [...listeners]) listener()
  }
  const tell = (words: Words) => {
    timer = announceWaiting = undefined
    const [first] = waiting.values()
    const count = waiting.size
    waiting.clear()
    if (count === 1 && first !== undefined) show(say(words.announceOne, { text: first }))
    else if (count > 1) show(say(words.announceSeveral, { count }))
  }
  return {
    asked(id, prompt, words) {
      if (known.has(id)) return
      known.add(id)
      waiting.set(id, prompt)
      announceWaiting ??= () => tell(words)
      timer ??= clock.setTimeout(announceWaiting, GATHER_MS)
    },
    refused(id, replaces, refusal) {
      if (known.has(id)) return
      known.add(id)
      // The question before is this very one: it does not wait beside it.
      if (replaces !== undefined) waiting.delete(replaces)
      show(refusal)
    },
    settled(id, outcome) {
      if (!known.has(id) || over.has(id)) return
      over.add(id)
      // Asked and answered within one breath: there is nothing left to say.
      if (!waiting.delete(id)) show(outcome)
    },
    say(next) {
      if (waiting.size === 0) return show(next)
      // The questions come first. Announced after this text, they would replace it in the live region.
      clock.clearTimeout(timer)
      announceWaiting?.()
      clock.setTimeout(() => show(next), 0)
    },
    getText: () => text,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    dispose() {
      if (timer !== undefined) clock.clearTimeout(timer)
      timer = undefined
    },
  }
}
