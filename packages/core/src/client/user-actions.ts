import type { UserAction } from '../protocol/index.ts'
import { maxUserActions } from '../protocol/limits.ts'
import type { Environment } from '../transport/types.ts'
import type { HoldpointClient } from './types.ts'

/** What people did in a tool's own interface. Kept back until sent, in the order in which it was done. */
export function createUserActions(
  env: Environment,
  send: (actions: UserAction[]) => Promise<void>,
): Pick<HoldpointClient, 'bufferAction' | 'takeActions' | 'sendUserActions'> {
  let buffer: UserAction[] = []
  let sending: Promise<void> = Promise.resolve()
  const keep = (action: UserAction) => void buffer.push({ actionId: env.id(), ...action })

  async function flush() {
    while (buffer.length) {
      const actions = buffer.splice(0, maxUserActions)
      try {
        await send(actions)
      } catch (error) {
        buffer = [...actions, ...buffer]
        throw error
      }
    }
  }
  return {
    bufferAction: keep,
    takeActions: () => buffer.splice(0),
    sendUserActions(actions = []) {
      actions.forEach(keep)
      const done = sending.then(flush)
      sending = done.catch(() => {})
      return done
    },
  }
}
