/** The typed input of an open question. It survives errors, the larger view, a reprompt and an unmount. */
export type Draft = Readonly<Record<string, unknown>>

/** Where drafts are written so that they survive a reload: `sessionStorage`, or anything with its methods. */
export type DraftStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'key' | 'length'>

export interface Drafts {
  get(interactionId: string): Draft | undefined
  /** `storable` is the part that may leave memory: never a secret or a file. Undefined writes nothing. */
  set(interactionId: string, draft: Draft, storable?: Draft): void
  /** The question ended without an answer: keeps the storable part, so that the person can copy it. */
  retire(interactionId: string): void
  /** Once a question is answered nothing of it is kept: it may hold a secret. */
  forget(interactionId: string): void
  subscribe(listener: () => void): () => void
}

export interface DraftsOptions {
  storage?: DraftStorage | null
  /** Sets the user who types, once known, so that another user of the device never sees the drafts. */
  owner?: () => string | undefined
}

const PREFIX = 'holdpoint.draft:'

/** Drafts live as long as their provider. The storable part lives as long as `storage`, if there is one. */
export function createDrafts({ storage = null, owner = () => undefined }: DraftsOptions = {}): Drafts {
  const drafts = new Map<string, { draft: Draft | undefined; storable?: Draft | undefined }>()
  const listeners = new Set<() => void>()
  const changed = () => {
    for (const listener of [...listeners]) listener()
  }
  const keyOf = (id: string) => `${PREFIX}${JSON.stringify([owner() ?? '', id])}`
  /** A storage may be full, forbidden or broken: a draft is then kept in memory alone. */
  const attempt = <T>(act: (storage: DraftStorage) => T): T | undefined => {
    try {
      return storage ? act(storage) : undefined
    } catch {
      return undefined
    }
  }
  const write = (id: string, storable: Draft | undefined) =>
    attempt((it) => (storable ? it.setItem(keyOf(id), JSON.stringify(storable)) : it.removeItem(keyOf(id))))
  const read = (id: string) =>
    attempt((it) => {
      removeOfOthers(it, owner())
      const found: unknown = JSON.parse(it.getItem(keyOf(id)) ?? 'null')
      return typeof found === 'object' && found !== null && !Array.isArray(found) ? (found as Draft) : undefined
    })
  const get = (id: string) => {
    // Read once: the same object as long as nothing was typed.
    if (id && !drafts.has(id)) {
      const draft = read(id)
      if (draft || owner() !== undefined) drafts.set(id, { draft, storable: draft })
    }
    return drafts.get(id)?.draft
  }
  const forget = (id: string) => {
    const had = drafts.get(id)?.draft
    drafts.delete(id)
    write(id, undefined)
    if (had) changed()
  }
  return {
    get,
    set(id, draft, storable) {
      drafts.set(id, { draft, storable })
      write(id, storable)
      changed()
    },
    retire(id) {
      const draft = get(id)
      const storable = drafts.get(id)?.storable
      if (!storable) return forget(id)
      if (draft === storable) return
      drafts.set(id, { draft: storable, storable })
      changed()
    },
    forget,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

/** Removes the drafts of other users, because another user may have signed in in this tab. */
function removeOfOthers(storage: DraftStorage, user: string | undefined): void {
  if (user === undefined) return
  const mine = `${PREFIX}${JSON.stringify([user]).slice(0, -1)},`
  const keys = Array.from({ length: storage.length }, (_, index) => storage.key(index))
  for (const key of keys) if (key?.startsWith(PREFIX) && !key.startsWith(mine)) storage.removeItem(key)
}
