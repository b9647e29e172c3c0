import type { ClientMessage } from '@holdpoint/core/protocol'
import type { Principal } from '../../base/principal.ts'
import type { Engine, PresenceTouch, Reply } from '../../engine/api/engine.ts'
import { noSuchSession } from '../requests/refuse.ts'

/** Passes one client message to the engine. All channels use it. */
export async function deliverMessage(
  engine: Engine,
  principal: Principal,
  sessionId: string,
  message: ClientMessage,
): Promise<Reply> {
  switch (message.type) {
    case 'hello':
      // A client of an older release does not say whether its page is visible.
      return touch(engine, principal, sessionId, message.clientId, {
        ...message.interaction,
        visible: message.visible ?? true,
      })
    case 'set_interaction_mode':
      return touch(engine, principal, sessionId, message.clientId, { enabled: message.enabled })
    case 'tool_interaction_response':
      return engine.answer(principal, sessionId, message)
    case 'extend_interaction':
      return engine.extend(principal, sessionId, message)
    case 'submit_auth_result':
      return engine.submitAuthResult(principal, sessionId, message)
    case 'user_actions':
      return engine.userActions(principal, sessionId, message)
    case 'cancel_run':
      return engine.cancelRun(principal, sessionId, message)
  }
}

async function touch(
  engine: Engine,
  principal: Principal,
  sessionId: string,
  clientId: string,
  can: Pick<PresenceTouch, 'supported' | 'enabled' | 'visible'>,
): Promise<Reply> {
  const session = (await engine.access(principal, sessionId, 'read')) ?? noSuchSession()
  await engine.presence.touch(session, {
    clientId,
    userId: principal.userId,
    ...(can.supported === undefined ? {} : { supported: can.supported }),
    ...(can.enabled === undefined ? {} : { enabled: can.enabled }),
    ...(can.visible === undefined ? {} : { visible: can.visible }),
  })
  return { status: 200, body: { status: 'accepted' } }
}
