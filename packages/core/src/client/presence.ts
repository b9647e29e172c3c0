/**
 * Tells the server whether this client shows questions. It sends one message at a time and the newest one last. If two
 * messages overtook each other, the server would keep the older one.
 */
export function createPresence(
  say: (kind: 'hello' | 'set_interaction_mode') => Promise<unknown>,
): (kind: 'hello' | 'set_interaction_mode') => void {
  let wanted: 'hello' | 'set_interaction_mode' | undefined
  let speaking = false
  return async (kind) => {
    // A hello contains everything that a change of mode contains.
    wanted = wanted === 'hello' ? wanted : kind
    if (speaking) return
    speaking = true
    while (wanted) {
      const next: typeof kind = wanted
      wanted = undefined
      await say(next)
    }
    speaking = false
  }
}
