import { type SpokenMessages, say } from '@holdpoint/core/internal'
import type { Clock } from '../base/clock.ts'

/** Questions that arrive together are told together. */
const GATHER_MS = 150

/** How it is said that one question waits, or several. */
type Words = Pick<SpokenMessages, 'announceOne' | 'announceSeveral'>

/** Says things through a live region, each once, whoever reports them and however often. */
export interface Announcer {
  /** A question is on screen and waits. */
  asked(interactionId: string, text: string, words: Words): void
  /** A question is asked again; `text` says what was wrong with the answer, and is announced at once. */
  refused(interactionId: string, replaces: string | undefined, text: string): void
  /** What became of it; told only if its question was. */
  settled(interactionId: string, outcome: string): void
  /** Anything else, at once. */
  say(text: string): void
  /** What the live region holds. */
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

  const show = (next: string) => {
    // The same sentence twice is no change, and no change is not read: an invisible one makes it a change.
    text = next === text ? `${next}\u00a0` : next
    for (const listener of [...listeners]) listener()
  }
  const tell = (words: Words) => {
    timer = undefined
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
      timer ??= clock.setTimeout(() => tell(words), GATHER_MS)
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
    say: show,
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
