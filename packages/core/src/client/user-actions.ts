import { maxUserActions } from '../json/limits.ts'
import type { UserAction } from '../protocol/messages.ts'

import type { Environment } from '../transport/types.ts'
import type { HoldpointClient } from './api/types.ts'

/** User actions in a tool's own interface. They are kept until they are sent, in their order. */
export function createUserActions(
  env: Environment,
  /** Returns the digest of the open question of a call, which the person sees while acting. */
  shownBy: (toolCallId: string) => string | undefined,
  send: (actions: UserAction[]) => Promise<void>,
): Pick<HoldpointClient, 'bufferAction' | 'takeActions' | 'sendUserActions'> {
  let buffer: UserAction[] = []
  let sending: Promise<void> = Promise.resolve()
  const keep = (action: UserAction) => {
    const shown = action.type === 'tool_event' ? shownBy(action.toolCallId) : undefined
    buffer.push({ actionId: env.id(), ...(shown && { shownDigest: shown }), ...action })
  }

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
