import type { SpokenMessages } from '@holdpoint/core/internal'
import { say } from '@holdpoint/core/internal/words'
import type { Clock } from '../base/clock.ts'

/** Questions that arrive together are announced together. */
const GATHER_MS = 150
/** A text that was announced less than this ago may not have been read yet. */
const JUST_SAID_MS = 500

/** The texts for one and for several waiting questions. */
type Words = Pick<SpokenMessages, 'announceOne' | 'announceSeveral'>

/** Announces texts through a live region, each once, although several components may report them. */
export interface Announcer {
  /** Announces that a question is on screen and waits. */
  asked(interactionId: string, text: string, words: Words): void
  /**
   * Notes that the user reads a question otherwise, such as in a list, so that it is not announced. Its outcome is, unless
   * it has ended already.
   */
  read(interactionId: string, isOpen: boolean): void
  /** Announces at once that a question is asked again. `text` names the problem of the answer. */
  refused(interactionId: string, replaces: string | undefined, text: string): void
  /** Announces the outcome of a question, if the question was announced. */
  settled(interactionId: string, outcome: string): void
  /** Announces any other text: at once, or right after the questions that are still being collected. */
  announce(text: string): void
  /** Announces that the connection is lost or back, which each card reports: each time once. */
  connection(isOpen: boolean, text: string): void
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
  let announcedAt = 0
  let wasOpen = true
  let timer: unknown
  let announceWaiting: (() => void) | undefined

  const show = (next: string) => {
    // Screen readers read changes only. An invisible character turns a repeated sentence into a change.
    text = next === text ? `${next}\u00a0` : next
    announcedAt = clock.now()
    for (const listener of [...listeners]) listener()
  }
  const announceQuestions = (words: Words) => {
    timer = announceWaiting = undefined
    const [first] = waiting.values()
    const count = waiting.size
    waiting.clear()
    if (count === 1 && first !== undefined) show(say(words.announceOne, { text: first }))
    else if (count > 1) show(say(words.announceSeveral, { count }))
  }
  const announce = (next: string) => {
    if (waiting.size === 0) return show(next)
    // The questions come first. Announced after this text, they would replace it in the live region.
    clock.clearTimeout(timer)
    announceWaiting?.()
    clock.setTimeout(() => show(next), 0)
  }
  return {
    asked(id, prompt, words) {
      if (known.has(id)) return
      known.add(id)
      waiting.set(id, prompt)
      announceWaiting ??= () => announceQuestions(words)
      timer ??= clock.setTimeout(announceWaiting, GATHER_MS)
    },
    read(id, isOpen) {
      known.add(id)
      if (!isOpen) over.add(id)
    },
    refused(id, replaces, refusal) {
      if (known.has(id)) return
      known.add(id)
      // The question replaces an earlier one, which is therefore not counted as waiting.
      if (replaces !== undefined) waiting.delete(replaces)
      show(refusal)
    },
    settled(id, outcome) {
      if (!known.has(id) || over.has(id)) return
      over.add(id)
      // The question was answered before its announcement, so there is nothing to announce.
      if (!waiting.delete(id)) show(outcome)
    },
    announce,
    connection(isOpen, next) {
      if (isOpen === wasOpen) return
      wasOpen = isOpen
      // A text of this moment says more than "connected again": that an answer is sent again, for example.
      if (!isOpen || clock.now() - announcedAt > JUST_SAID_MS) announce(next)
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
