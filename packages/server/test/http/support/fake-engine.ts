import { limits } from '@holdpoint/core/protocol'
import { cursorAt, encodeEvent } from '@holdpoint/core/wire'
import { memoryStore } from '@holdpoint/server/memory'
import { systemEnvironment } from '../../../src/base/environment.ts'
import type { Principal } from '../../../src/base/principal.ts'
import type { Engine, Reply, SessionRecord } from '../../../src/engine/api/engine.ts'
import type { Store } from '../../../src/store/port.ts'

export interface FakeEngine extends Engine {
  /** Appends events to a session's log. */
  emit(sessionId: string, ...texts: string[]): Promise<void>
  create(sessionId: string, userId: string, tenant?: string): Promise<void>
  /** Removes a user's right to read from here on. */
  forbid(userId: string): void
  revoke(who: { userId: string; tenant?: string }): void
  /** The calls to the engine, by verb. */
  readonly calls: { verb: string; userId: string; sessionId: string; body: unknown }[]
  readonly presences: { verb: 'touch' | 'leave'; clientId: string; supported?: boolean; enabled?: boolean }[]
  reply: Reply
  /** Thrown by the next answer. */
  throws: unknown
  readonly revokeListeners: number
}

/** An engine that owns sessions, keeps a log and remembers what it was asked: what channels can be tested against. */
export function fakeEngine(store: Store = memoryStore()): FakeEngine {
  const sessions = new Map<string, SessionRecord>()
  const forbidden = new Set<string>()
  const listeners = new Set<(who: { userId: string; tenant?: string }) => void>()
  const partition = (session: { tenant: string; sessionId: string }) => `session/${session.tenant}/${session.sessionId}`
  const record = (verb: string) => async (principal: Principal, sessionId: string, body: unknown) => {
    engine.calls.push({ verb, userId: principal.userId, sessionId, body })
    if (engine.throws) throw engine.throws
    return engine.reply
  }

  const engine: FakeEngine = {
    store,
    limits,
    environment: systemEnvironment(),
    calls: [],
    presences: [],
    reply: { status: 200, body: { status: 'accepted' } },
    throws: undefined,
    async access(principal, sessionId) {
      const session = sessions.get(sessionId)
      if (!session || session.userId !== principal.userId || forbidden.has(principal.userId)) return null
      return session.tenant === (principal.tenant ?? '') ? session : null
    },
    partition,
    userPartition: ({ tenant, userId }) => `user/${tenant}/${userId}`,
    reads: {
      session: async ({ sessionId }) => sessions.get(sessionId) ?? null,
      call: async () => null,
      recorded: async () => [],
      interaction: async () => null,
      pending: async () => ({ interactions: [], next: 1 }),
    },
    async snapshot(principal, session) {
      const { epoch, head } = await store.snapshot(partition(session), [])
      const you = { userId: principal.userId, can: ['read' as const] }
      return { cursor: cursorAt(epoch, head), serverTime: new Date(0).toISOString(), you, runs: [], interactions: [] }
    },
    readState: async () => null,
    writeState: async () => false,
    inbox: async (principal) => ({ items: [], next: principal.userId }),
    settled: async (principal) => ({ items: [], next: principal.userId }),
    answer: record('answer'),
    extend: record('extend'),
    cancelRun: record('cancelRun'),
    submitAuthResult: record('submitAuthResult'),
    userActions: record('userActions'),
    approvals: (principal) => record('approvals')(principal, '', undefined),
    revokeApproval: (principal, body) => record('revokeApproval')(principal, '', body),
    toolSettings: (principal) => record('toolSettings')(principal, '', undefined),
    setToolSetting: (principal, body) => record('setToolSetting')(principal, '', body),
    connect: record('connect'),
    async upload(principal, sessionId, file) {
      const session = sessions.get(sessionId)
      if (session?.userId !== principal.userId) return { status: 404, body: { error: { code: 'not_found' } } }
      const bytes = typeof file.bytes === 'function' ? await file.bytes(10 * 1024 * 1024) : file.bytes
      return record('upload')(principal, sessionId, { ...file, bytes })
    },
    presence: {
      async touch(_session, { clientId, supported, enabled }) {
        engine.presences.push({
          verb: 'touch',
          clientId,
          ...(supported === undefined ? {} : { supported }),
          ...(enabled === undefined ? {} : { enabled }),
        })
      },
      async leave(_session, { clientId }) {
        engine.presences.push({ verb: 'leave', clientId })
      },
      async inbox() {},
    },
    checkEdits() {},
    connectSurfaces() {},
    onRevoke(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    async create(sessionId, userId, tenant = '') {
      const session = { tenant, sessionId, userId }
      sessions.set(sessionId, session)
      await store.commit({ partition: partition(session), puts: [{ kind: 'session', id: sessionId, data: '{}' }] })
    },
    async emit(sessionId, ...texts) {
      const session = sessions.get(sessionId)
      if (!session) throw new Error(`no session ${sessionId}`)
      const events = texts.map((text) =>
        encodeEvent({ type: 'content', timestamp: '2026-01-01T00:00:00.000Z', sessionId, text }),
      )
      await store.commit({ partition: partition(session), events })
    },
    forbid(userId) {
      forbidden.add(userId)
    },
    node: 'fake',
    revoke(who) {
      for (const listener of listeners) listener(who)
    },
    get revokeListeners() {
      return listeners.size
    },
  }
  return engine
}
