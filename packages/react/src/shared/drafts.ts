/** What a person has typed into a question, as long as it is open: it survives errors, pop-out, reprompt and unmount. */
export type Draft = Readonly<Record<string, unknown>>

export interface Drafts {
  get(interactionId: string): Draft | undefined
  set(interactionId: string, draft: Draft): void
  /** Once a question is over nothing of it is kept: it may hold a secret. */
  forget(interactionId: string): void
  subscribe(listener: () => void): () => void
}

/** Lives as long as its provider; nothing is written to disk. */
export function createDrafts(): Drafts {
  const drafts = new Map<string, Draft>()
  const listeners = new Set<() => void>()
  const changed = () => {
    for (const listener of [...listeners]) listener()
  }
  return {
    get: (id) => drafts.get(id),
    set(id, draft) {
      drafts.set(id, draft)
      changed()
    },
    forget(id) {
      if (drafts.delete(id)) changed()
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
