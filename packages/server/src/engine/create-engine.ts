import type { UserActionsMessage } from '@holdpoint/core/internal'
import { isId } from '../base/assert-ids.ts'
import type { Principal } from '../base/principal.ts'
import { accessSession, refusal, tenantOf } from './access/authorize.ts'
import { hintOfConnection, startConnecting } from './accounts/start-connecting.ts'
import { answerQuestion } from './answering/answer-question.ts'
import { receiveUpload } from './answering/uploads.ts'
import type { Engine, Reply } from './api/engine.ts'
import type { AssembledKernel } from './assemble.ts'
import { ownApprovals, revokeOwnApproval } from './consent/own-approvals.ts'
import { chooseToolSetting, offeredToolSettings } from './consent/tool-settings.ts'
import { cancelRun } from './ending/cancel.ts'
import { extendQuestion } from './ending/extend.ts'
import { inboxPage } from './inbox/inbox-page.ts'
import { settledPage } from './inbox/settled-page.ts'
import { sessionPartition, userPartition } from './records/keys.ts'
import { createReads } from './session/reads.ts'
import { readState, writeState } from './session/run-states.ts'
import { sessionSnapshot } from './session/snapshot.ts'
import { acceptUserActions } from './session/user-actions.ts'

/** Creates the engine's interface for channels. */
export function createEngine(
  kernel: AssembledKernel,
  revoked: Set<(user: { userId: string; tenant?: string }) => void>,
): Engine {
  return {
    store: kernel.store,
    limits: kernel.limits,
    environment: kernel.environment,
    access(principal, sessionId, action, owner) {
      kernel.heartbeat.follow()
      kernel.requestTick.soon()
      return accessSession(kernel, principal, sessionId, action, owner)
    },
    partition: ({ tenant, sessionId }) => sessionPartition(tenant, sessionId),
    userPartition: ({ tenant, userId }) => userPartition(tenant, userId),
    reads: createReads(kernel),
    snapshot: (principal, session) => sessionSnapshot(kernel, principal, session),
    inbox(principal, options) {
      kernel.requestTick.soon()
      return inboxPage(kernel, principal, options)
    },
    settled: (principal, options) => settledPage(kernel, principal, options),
    answer(principal, sessionId, message) {
      kernel.requestTick.soon()
      return answerQuestion(kernel, principal, sessionId, message)
    },
    extend: (principal, sessionId, message) => extendQuestion(kernel, principal, sessionId, message),
    async cancelRun(principal, sessionId, { runId }) {
      if (!isId(runId)) return refusal('unknown_run')
      const allowed = await allow(kernel, principal, sessionId, 'cancel')
      if ('status' in allowed) return allowed
      const done = await cancelRun(kernel, allowed.partition, sessionId, runId, 'user', { known: true })
      return done === 'unknown' ? refusal('unknown_run') : { status: 200, body: { status: 'cancelled' } }
    },
    submitAuthResult: (principal, sessionId, message) => hintOfConnection(kernel, principal, sessionId, message),
    async userActions(principal, sessionId, message) {
      const allowed = await allow(kernel, principal, sessionId, 'respond')
      if ('status' in allowed) return allowed
      return await takeUserActions(kernel, principal, sessionId, message)
    },
    approvals: (principal, page) => ownApprovals(kernel, principal, page),
    revokeApproval: (principal, body) => revokeOwnApproval(kernel, principal, body),
    toolSettings: (principal) => offeredToolSettings(kernel, principal),
    setToolSetting: (principal, body) => chooseToolSetting(kernel, principal, body),
    connect: (principal, sessionId, body) => startConnecting(kernel, principal, sessionId, body),
    upload: (principal, sessionId, file) => receiveUpload(kernel, principal, sessionId, file),
    presence: {
      touch: (session, client) => kernel.presence.touch(session, client),
      leave: (session, client) => kernel.presence.leave(session, client),
      inbox: (principal, client) => kernel.presence.inbox(principal, client),
    },
    readState: (run) => readState(kernel, run),
    writeState: (run, state) => writeState(kernel, run, state),
    node: kernel.incarnation,
    checkEdits: (toolName, schema) => kernel.tools.checkEdits(toolName, schema),
    connectSurfaces(outreach) {
      kernel.outreach = outreach
      const unparking = kernel.ready().then(() => kernel.outbox.unpark())
      kernel.background('looking for messages that waited for their surfaces', unparking)
    },
    onRevoke(listener) {
      revoked.add(listener)
      return () => void revoked.delete(listener)
    },
  }
}

async function takeUserActions(
  kernel: AssembledKernel,
  principal: Principal,
  sessionId: string,
  message: UserActionsMessage,
): Promise<Reply> {
  const { userActions, onUserActions } = kernel.settings
  if (!userActions) return refusal('not_configured')
  const where = { tenant: tenantOf(principal), sessionId }
  const taken = await acceptUserActions(kernel, principal, where, message.clientId, message.actions)
  if (!taken.ok) return taken.reply
  const { accepted, replayed } = taken
  if (accepted.length > 0) await onUserActions?.({ principal, sessionId, message, accepted })
  return { status: 200, body: { status: 'accepted', ...(replayed && { replayed }) } }
}

async function allow(kernel: AssembledKernel, principal: Principal, sessionId: string, action: 'cancel' | 'respond') {
  if (await accessSession(kernel, principal, sessionId, action)) {
    return { partition: sessionPartition(tenantOf(principal), sessionId) }
  }
  return refusal((await accessSession(kernel, principal, sessionId, 'read')) ? 'forbidden' : 'not_found')
}
