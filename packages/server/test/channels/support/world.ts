import type { Answered, Asked, ChannelWorld } from '@holdpoint/conformance/channel'
import type { Transport } from '@holdpoint/core'
import { shownDigest } from '@holdpoint/core/wire'
import { createHoldpoint, type Holdpoint } from '@holdpoint/server'
import { memoryStore } from '@holdpoint/server/memory'
import type { Store } from '@holdpoint/server/store'
import { appOf, engineOf } from '../../../src/http/mounted.ts'

export interface Tuning {
  reauthorizeMs?: number
  heartbeatMs?: number
  maxBuffered?: number
}

/** How people reach a Holdpoint through one kind of channel. */
export interface Wiring {
  transport(user: string | null): Transport
  sendRaw(user: string, sessionId: string, message: Uint8Array | string): Promise<Answered>
  cut?(): void
  stall?(user: string, sessionId: string): Promise<{ close(): void }>
  stop(): Promise<void>
}

export interface Wired {
  holdpoint: Holdpoint
  /** False once the user was logged out. */
  loggedIn(user: string): boolean
}

/** A real Holdpoint on a memory store whose reads can be held up, and people who log in by a bearer with their name. */
export async function makeWorld(wire: (wired: Wired) => Promise<Wiring>, tuning: Tuning = {}): Promise<ChannelWorld> {
  let beforeAnswer = async () => {}
  const inner = memoryStore()
  const store: Store = {
    ...inner,
    async readLog(partition, options) {
      const page = await inner.readLog(partition, options)
      await beforeAnswer()
      return page
    },
  }
  const out = new Set<string>()
  const loggedIn = (user: string) => !out.has(user)
  const holdpoint = createHoldpoint({
    store,
    authenticate(request) {
      const user = /^Bearer (\w+)$/.exec(request.headers.get('authorization') ?? '')?.[1]
      return user !== undefined && loggedIn(user) ? { userId: user } : null
    },
    http: { maxBuffered: 256 * 1024, pieceSize: 64 * 1024, rateLimit: { burst: 10_000, perSecond: 10_000 }, ...tuning },
    timing: { orphanAfterMs: 600_000 },
  })
  const wiring = await wire({ holdpoint, loggedIn })
  const partitionOf = (sessionId: string) => engineOf(holdpoint).partition({ tenant: '', sessionId, userId: '' })
  let calls = 0

  return {
    ...wiring,
    async emit(sessionId, user, ...texts) {
      const session = holdpoint.session(sessionId, { userId: user })
      for (const text of texts) await session.emit({ type: 'content', text })
    },
    ask: (sessionId, user, call) =>
      ask(holdpoint, sessionId, user, { callId: `call-${++calls}`, runId: 'run-1', ...call }),
    cancelRun: (sessionId, user, runId) => holdpoint.session(sessionId, { userId: user }).cancelRun(runId),
    trim: (sessionId, before) => inner.trim(partitionOf(sessionId), before),
    async replaceLog(sessionId, user, ...texts) {
      await inner.erase(partitionOf(sessionId))
      const session = holdpoint.session(sessionId, { userId: user })
      for (const text of texts) await session.emit({ type: 'content', text })
    },
    beforeReadsAnswer(act) {
      beforeAnswer = act
    },
    revoke: (user) => holdpoint.revoke({ userId: user }),
    logOut: (user) => void out.add(user),
    get streams() {
      return appOf(holdpoint).hub.size.streams
    },
    async stop() {
      beforeAnswer = async () => {}
      await wiring.stop()
      await holdpoint.close()
    },
  }
}

async function ask(
  holdpoint: Holdpoint,
  sessionId: string,
  userId: string,
  { runId, callId }: { runId: string; callId: string },
): Promise<Asked> {
  const context = holdpoint
    .session(sessionId, { userId })
    .toolCall({ runId, toolCallId: callId, toolName: 'delete_files' })
  const outcome = context
    .tryApprove({ prompt: 'Delete 3 files?', scopes: ['once', 'session'], rememberAs: [sessionId, runId, callId] })
    .then((result) =>
      result.outcome === 'approved'
        ? { approved: true, scope: result.scope }
        : { approved: false, outcome: result.outcome },
    )
  outcome.catch(() => {})
  for (;;) {
    const { items } = await engineOf(holdpoint).inbox({ userId }, {})
    const found = items.find(({ interaction }) => {
      const { request } = interaction
      return 'toolCallId' in request && request.toolCallId === callId && request.runId === runId
    })
    if (found && 'interactionId' in found.interaction.request) {
      const { request } = found.interaction
      const { interactionId } = request
      if (typeof interactionId === 'string')
        return { interactionId, callId, shownDigest: shownDigest(request as never), outcome }
    }
    await new Promise((resolve) => setTimeout(resolve, 2))
  }
}
