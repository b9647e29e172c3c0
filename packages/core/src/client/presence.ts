/**
 * Tells the server whether this client shows questions. It sends one message at a time and the newest one last. If two
 * messages overtook each other, the server would keep the older one.
 */
export function createPresence(
  send: (kind: 'hello' | 'set_interaction_mode') => Promise<unknown>,
): (kind: 'hello' | 'set_interaction_mode') => void {
  let queued: 'hello' | 'set_interaction_mode' | undefined
  let sending = false
  return async (kind) => {
    // A hello contains everything that a change of mode contains.
    queued = queued === 'hello' ? queued : kind
    if (sending) return
    sending = true
    while (queued) {
      const next: typeof kind = queued
      queued = undefined
      await send(next)
    }
    sending = false
  }
}
