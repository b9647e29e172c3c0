/**
 * Tells the server what this client can show. One message at a time, and always the latest word last: two that
 * overtake each other would leave the server with the older one.
 */
export function createPresence(
  say: (kind: 'hello' | 'set_interaction_mode') => Promise<unknown>,
): (kind: 'hello' | 'set_interaction_mode') => void {
  let wanted: 'hello' | 'set_interaction_mode' | undefined
  let speaking = false
  return async (kind) => {
    // A hello says all that a change of mode says.
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
