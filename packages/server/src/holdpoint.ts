import { HoldpointError } from '@holdpoint/core'
import { listGrants, type RememberedApproval, revokeGrant } from './engine/approvals.ts'
import { cancelQuestion } from './engine/cancel.ts'
import { canonicalJson } from './engine/canonical.ts'
import { doWhatIsDue } from './engine/catch-up.ts'
import { checkIds, checkTenant } from './engine/check-ids.ts'
import { accountChanged } from './engine/connecting.ts'
import type { Core } from './engine/core.ts'
import type { Counts } from './engine/counters.ts'
import { createCore, settingsOf } from './engine/create-core.ts'
import { createEngine } from './engine/engine.ts'
import { type Environment, pause } from './engine/environment.ts'
import { eraseSession, eraseUser } from './engine/erase.ts'
import { questionTag } from './engine/names.ts'
import { listPolicies, type PolicyChoice, revokePolicy, setPolicy } from './engine/policies.ts'
import type { Engine, Principal } from './engine/port.ts'
import { recover } from './engine/recover.ts'
import { environmentName, instanceKey, joinAlone, type Known, registry } from './engine/registry.ts'
import { createSession, type Session } from './engine/session.ts'
import type { Tool, ToolDefinition } from './engine/tool.ts'
import { createFetch, type HoldpointFetch } from './http/create-fetch.ts'
import { sqliteStore } from './store/sqlite.ts'
import type { HoldpointOptions } from './types.ts'

/** Who a call is about. */
export interface UserRef {
  userId: string
  tenant?: string
}

/** One Holdpoint: what the back end works with. Everything hangs on it; nothing is global. */
export interface Holdpoint {
  /** Answers requests: `(Request) => Promise<Response>`. The frameworks' shells stand on it. */
  readonly fetch: HoldpointFetch
  /** What the channels stand on. */
  readonly engine: Engine
  /** Timers and chance, as they were handed in. */
  readonly environment: Environment
  /** A conversation. It belongs to its first user; another one's calls are rejected. */
  session(sessionId: string, owner: UserRef): Session
  /**
   * Registers a tool that can be run again after a crash: with its stored input, without asking again what was
   * answered.
   *
   * @example
   * const deleteFiles = holdpoint.tool({
   *   name: 'delete_files',
   *   input: z.object({ files: z.array(z.string()) }),
   *   execute: async ({ files }, ctx) => {
   *     await ctx.approve({ prompt: `Delete ${files.length} files?`, args: { files } })
   *     return removeAll(files)
   *   },
   * })
   */
  tool<Input, Result>(definition: ToolDefinition<Input, Result>): Tool<Input, Result>
  /** Runs registered tools again whose process died. Call it once when the process has started. */
  recover(): Promise<{ recovered: number }>
  /** Does what is due: deadlines, deliveries, recovery. For a scheduler, where no process stays. */
  tick(): Promise<void>
  /** Ends one question. False when it was over already. */
  cancelInteraction(interactionId: string, reason?: string): Promise<boolean>
  /** Ends this user's streams now. They are authorised again every 60 s anyway. */
  revoke(who: UserRef): void
  readonly approvals: {
    list(who: UserRef): Promise<RememberedApproval[]>
    /** Forgets what this user approved: one key of a tool, or everything. Returns how many. */
    revoke(who: UserRef & { toolName?: string; key?: unknown }): Promise<number>
  }
  /** What users chose for tools made with `withPolicy`: remembered for all their sessions. */
  readonly policies: {
    list(who: UserRef): Promise<PolicyChoice[]>
    /** Says what may be chosen for a tool that is not made with `holdpoint.tool`, such as one of the AI SDK. */
    offer(toolName: string, choices: readonly string[]): void
    /** Rejects with `unknown_policy` for what the tool does not offer. */
    set(who: UserRef & { toolName: string; choice: string }): Promise<void>
    /** Back to what the tools do by themselves: one of them, or all. Returns how many choices there were. */
    revoke(who: UserRef & { toolName?: string }): Promise<number>
  }
  readonly accounts: {
    /** Call it when a user's account was connected, renewed or removed; a provider with `changes` is heard by itself. */
    changed(account: UserRef & { integration: string }): Promise<void>
  }
  /** Drops a session with everything in it; what goes on in it is cancelled first. */
  eraseSession(session: { sessionId: string; tenant?: string }): Promise<void>
  /**
   * Drops all sessions, remembered approvals and account flows of a user, and takes them out of other people's: their
   * answers stay there, without name or id, in the questions and in the log. Pages that show one begin anew by themselves.
   * What a tool was given, and what was typed, is not looked into.
   */
  eraseUser(who: UserRef): Promise<{ sessions: number }>
  /** What this process did so far, and what it is at. */
  stats(): { counts: Counts; waiting: number; calls: number }
  /**
   * Stops timers and streams and gives up what this process owns. Questions stay: what waits here stays waiting, and
   * goes on in the process that comes next.
   */
  close(): Promise<void>
}

/**
 * Makes a Holdpoint.
 *
 * @example
 * export const holdpoint = createHoldpoint({
 *   store: sqliteStore({ path: '.holdpoint/data.db' }),
 *   authenticate: async (request) => ({ userId: await userOf(request) }),
 * })
 */
export function createHoldpoint(options: HoldpointOptions = {}): Holdpoint {
  const store = options.store ?? defaultStore()
  const key = instanceKey(options.name, store)
  const known = environmentName() === 'development' ? registry().instances.get(key) : undefined
  if (known) {
    reload(known, options)
    return known.holdpoint
  }
  const core = createCore(store, settingsOf(options))
  const stopStandingAlone = core.store.shared ? () => {} : joinAlone(core)
  const holdpoint = assemble(core, options, () => {
    stopStandingAlone()
    const { instances } = registry()
    if (instances.get(key)?.core === core) instances.delete(key)
  })
  if (environmentName() === 'development') registry().instances.set(key, { holdpoint, core })
  return holdpoint
}

const GOODBYE_MS = 3_000

/** The module was evaluated again: questions that wait go on waiting, hooks are the new ones. */
function reload(known: Known, options: HoldpointOptions): void {
  const { core } = known
  const { store, environment: _same, waiting: _fixed, ...changed } = settingsOf(options)
  Object.assign(core.settings, changed)
  core.accountFeed.follow()
  // Two memory stores look like one that a hot reload made anew; only whoever wrote the calls knows.
  const doubtful = options.name === undefined && store && store !== core.store && store.place === undefined
  if (!doubtful || known.told) return
  known.told = true
  core.log.warn(
    `createHoldpoint was called again, and gave the instance that was there, with the ${store.name} store that it has: that is right after a hot reload. If two were meant, give each its name: createHoldpoint({ name: 'billing', … }).`,
    { code: 'instance_kept' },
  )
}

function assemble(core: Core, options: HoldpointOptions, onClose: () => void): Holdpoint {
  const revoked = new Set<(who: UserRef) => void>()
  const engine = createEngine(core, revoked)
  const { settings } = core
  const fetch = createFetch(engine, {
    ...options,
    get authenticate() {
      return settings.authenticate
    },
    // The default one too: an answer that names a log entry must have one.
    get logger() {
      return core.log
    },
  })

  return {
    fetch,
    engine,
    environment: core.environment,
    session(sessionId, owner) {
      const { userId, tenant = '' } = owner ?? {}
      checkIds('holdpoint.session(sessionId, { userId })', { sessionId, userId })
      checkTenant('The owner of a session', owner)
      return createSession(core, { tenant, sessionId, userId: userId as string })
    },
    tool: (definition) => core.tools.register(definition),
    async recover() {
      return { recovered: await recover(core) }
    },
    tick: () => doWhatIsDue(core),
    async cancelInteraction(interactionId, reason) {
      await core.ready()
      const { rows } = await core.store.byTag(questionTag(interactionId), { limit: 1 })
      const row = rows[0]
      return row ? await cancelQuestion(core, row.partition, interactionId, reason) : false
    },
    revoke(who) {
      for (const listener of [...revoked]) listener(who)
    },
    approvals: {
      list: ({ userId, tenant = '' }) => listGrants(core, { tenant, userId }),
      async revoke({ userId, tenant = '', toolName, key }) {
        const wanted = key === undefined ? undefined : canonicalJson(key)
        const found = await listGrants(core, { tenant, userId, ...(toolName !== undefined && { tool: toolName }) })
        const named = found.map((grant) => ({ tool: grant.toolName, key: canonicalJson(grant.key) }))
        const matching = new Map(
          named
            .filter((one) => wanted === undefined || one.key === wanted)
            .map((one) => [`${one.tool} ${one.key}`, one]),
        )
        let revoked = 0
        for (const one of matching.values()) revoked += await revokeGrant(core, { tenant, userId, ...one })
        return revoked
      },
    },
    policies: {
      list: ({ userId, tenant = '' }) => listPolicies(core, { tenant, userId }),
      offer: (toolName, choices) => core.tools.offer(toolName, choices),
      set: ({ tenant = '', ...rest }) => setPolicy(core, { tenant, ...rest }),
      revoke: ({ tenant = '', ...rest }) => revokePolicy(core, { tenant, ...rest }),
    },
    accounts: {
      changed: ({ userId, tenant, integration }) => accountChanged(core, principal(userId, tenant), integration),
    },
    eraseSession: ({ sessionId, tenant = '' }) => eraseSession(core, tenant, sessionId),
    async eraseUser({ userId, tenant = '' }) {
      return { sessions: await eraseUser(core, tenant, userId) }
    },
    stats: () => ({ counts: core.counters.all, waiting: core.waiters.size, calls: core.calls.size }),
    async close() {
      onClose()
      core.accountFeed.stop()
      core.waiters.close()
      core.calls.close()
      fetch.app.close()
      core.alarm.stop()
      // A database that does not answer must not keep a process from ending.
      const goodbye = Promise.allSettled([core.outbox.flush(), core.nodes.leave()])
      await Promise.race([goodbye, pause(core.environment, GOODBYE_MS)])
      await core.store.close()
    },
  }
}

const principal = (userId: string, tenant: string | undefined): Principal => ({
  userId,
  ...(tenant !== undefined && { tenant }),
})

/** A database without a service, where nothing else was named. */
function defaultStore() {
  if (globalThis.process?.env.NODE_ENV !== 'production') return sqliteStore({ path: '.holdpoint/data.db' })
  throw new HoldpointError(
    'store_required',
    'In production the store must be named: questions that nobody remembers cannot be answered. Pass store: sqliteStore({ path }), postgresStore(...) or redisStore(...) to createHoldpoint.',
  )
}
