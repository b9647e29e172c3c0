import type { UserActionsMessage } from '@holdpoint/core/protocol'
import { accessSession, refusal, tenantOf } from './access/authorize.ts'
import { hintOfConnection, startConnecting } from './accounts/start-connecting.ts'
import { answerQuestion } from './answering/answer-question.ts'
import { receiveUpload } from './answering/uploads.ts'
import type { Engine, Principal, Reply } from './api/engine.ts'
import { choosePolicy, offeredPolicies } from './consent/policies.ts'
import { cancelRun } from './ending/cancel.ts'
import { extendQuestion } from './ending/extend.ts'
import type { Core } from './kernel/kernel.ts'
import { sessionPartition } from './records/keys.ts'
import { inboxPage, sessionSnapshot } from './session/snapshot.ts'
import { acceptUserActions } from './session/user-actions.ts'

/** The engine as the channels see it. */
export function createEngine(core: Core, revoked: Set<(who: { userId: string; tenant?: string }) => void>): Engine {
  return {
    store: core.store,
    limits: core.limits,
    access(principal, sessionId, action, owner) {
      core.nodes.follow()
      core.catchUp.soon()
      return accessSession(core, principal, sessionId, action, owner)
    },
    partition: ({ tenant, sessionId }) => sessionPartition(tenant, sessionId),
    snapshot: (principal, session) => sessionSnapshot(core, principal, session),
    inbox(principal, options) {
      core.catchUp.soon()
      return inboxPage(core, principal, options)
    },
    answer(principal, sessionId, message) {
      core.catchUp.soon()
      return answerQuestion(core, principal, sessionId, message)
    },
    extend: (principal, sessionId, message) => extendQuestion(core, principal, sessionId, message),
    async cancelRun(principal, sessionId, { runId }) {
      const allowed = await allow(core, principal, sessionId, 'cancel')
      if ('status' in allowed) return allowed
      const done = await cancelRun(core, allowed.partition, sessionId, runId, 'user', { known: true })
      return done === 'unknown' ? refusal('unknown_run') : { status: 200, body: { status: 'cancelled' } }
    },
    submitAuthResult: (principal, sessionId, message) => hintOfConnection(core, principal, sessionId, message),
    async userActions(principal, sessionId, message) {
      const allowed = await allow(core, principal, sessionId, 'respond')
      if ('status' in allowed) return allowed
      return await takeUserActions(core, principal, sessionId, message)
    },
    policies: (principal) => offeredPolicies(core, principal),
    setPolicy: (principal, body) => choosePolicy(core, principal, body),
    connect: (principal, sessionId, body) => startConnecting(core, principal, sessionId, body),
    upload: (principal, sessionId, file) => receiveUpload(core, principal, sessionId, file),
    presence: {
      touch: (session, client) => core.presence.touch(session, client),
      leave: (session, client) => core.presence.leave(session, client),
    },
    node: core.incarnation,
    checkEdits: (toolName, schema) => core.tools.checkEdits(toolName, schema),
    onRevoke(listener) {
      revoked.add(listener)
      return () => void revoked.delete(listener)
    },
  }
}

async function takeUserActions(
  core: Core,
  principal: Principal,
  sessionId: string,
  message: UserActionsMessage,
): Promise<Reply> {
  const { userActions, onUserActions } = core.settings
  if (!userActions) {
    return onUserActions
      ? await onUserActions({ principal, sessionId, message, accepted: [] })
      : refusal('not_configured')
  }
  const where = { tenant: tenantOf(principal), sessionId }
  const taken = await acceptUserActions(core, principal, where, message.clientId, message.actions)
  if (!taken.ok) return taken.reply
  const { accepted, replayed } = taken
  if (accepted.length > 0) await onUserActions?.({ principal, sessionId, message, accepted })
  return { status: 200, body: { status: 'accepted', ...(replayed && { replayed }) } }
}

async function allow(core: Core, principal: Principal, sessionId: string, action: 'cancel' | 'respond') {
  if (await accessSession(core, principal, sessionId, action)) {
    return { partition: sessionPartition(tenantOf(principal), sessionId) }
  }
  return refusal((await accessSession(core, principal, sessionId, 'read')) ? 'forbidden' : 'not_found')
}
