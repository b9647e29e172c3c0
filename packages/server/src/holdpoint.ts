import { HoldpointError } from '@holdpoint/core'
import { assertIds, assertTenant } from './base/assert-ids.ts'
import { type Environment, environmentName, within } from './base/environment.ts'
import type { Principal } from './base/principal.ts'
import { instanceKey, joinAlone, registry } from './development.ts'
import { accountChanged } from './engine/accounts/start-connecting.ts'
import type { Engine } from './engine/api/engine.ts'
import type {
  AnswerOptions,
  AnswerOutcome,
  InteractionFilter,
  InteractionList,
  InteractionRecord,
} from './engine/api/interactions.ts'
import type { Tool, ToolDefinition } from './engine/api/tool.ts'
import { type AssembledKernel, assembleEngine } from './engine/assemble.ts'
import { keyText } from './engine/consent/approval-key.ts'
import { listGrants, type RememberedApproval, revokeGrants } from './engine/consent/list-grants.ts'
import { listPolicies, type PolicyChoice, revokePolicy, setPolicy } from './engine/consent/policies.ts'
import { createEngine } from './engine/create-engine.ts'
import {
  type DeliveryItem,
  type DeliveryState,
  dropDelivery,
  listDeliveries,
  retryDelivery,
} from './engine/delivery/list-deliveries.ts'
import { cancelQuestion } from './engine/ending/cancel.ts'
import type { Counts } from './engine/kernel/counters.ts'
import type { AnswerLink, AnswerLinkOptions, OpenedLink } from './engine/links/link-options.ts'
import { createLink, openLink, revokeLinks } from './engine/links/links.ts'
import { questionTag } from './engine/records/keys.ts'
import { answerFromCode } from './engine/session/answer-from-code.ts'
import { createSession, type Session } from './engine/session/create-session.ts'
import { getInteraction, listInteractions } from './engine/session/list-interactions.ts'
import { eraseSession, eraseUser } from './engine/upkeep/erase.ts'
import { recover } from './engine/upkeep/recover.ts'
import { tick } from './engine/upkeep/tick.ts'
import { createFetch, type HoldpointFetch } from './http/create-fetch.ts'
import type { HoldpointOptions } from './options.ts'
import { publishRevocation } from './security/revocations.ts'
import { settingsOf } from './settings-of.ts'
import { sqliteStore } from './store/sqlite/index.ts'

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
  /** The clock and random source in use (see `HoldpointOptions.environment`). */
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
  tool<Input, Result, Raw = Input>(definition: ToolDefinition<Input, Result, Raw>): Tool<Input, Result, Raw>
  /** Runs registered tools again whose process died. Call it once when the process has started. */
  recover(): Promise<{ recovered: number }>
  /** Does what is due: deadlines, deliveries, recovery. For a scheduler, where no process stays. */
  tick(): Promise<void>
  /**
   * Answers an interaction from code: from a chat platform, an e-mail link or a command line. Authorization, validation,
   * the one winner and the codes are those of HTTP.
   *
   * @example
   * const outcome = await holdpoint.answer({
   *   principal: { userId: 'ada' },
   *   sessionId,
   *   interactionId,
   *   answerId: slackRequestId, // a retry with the same id changes nothing
   *   clientId: 'slack:T024:U17',
   *   answer: { action: 'approve', shownDigest }, // stored when the question was posted
   * })
   * if (outcome.status === 'refused') await tell(outcome.message)
   */
  answer(options: AnswerOptions): Promise<AnswerOutcome>
  readonly interactions: {
    /**
     * Lists interactions of a session, of a user's inbox, or all pending ones of a tenant, page by page.
     *
     * @example
     * const { interactions, next } = await holdpoint.interactions.list({ userId: 'ada', toolName: 'delete_files' })
     */
    list(filter?: InteractionFilter): Promise<InteractionList>
    /** Returns one interaction, or null. Pass `sessionId` to find it after it has been settled. */
    get(which: { interactionId: string; sessionId?: string; tenant?: string }): Promise<InteractionRecord | null>
  }
  /** Ends one question. False when it was over already. */
  cancelInteraction(interactionId: string, reason?: string): Promise<boolean>
  /**
   * Ends this user's streams now: here at once, on other nodes of the same store as soon as they learn of it. Streams are
   * authorized again every 60 s anyway. Resolves when the other nodes can learn of it.
   */
  revoke(who: UserRef): Promise<void>
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
  /** What is on its way to `onToolResult` and `onFollowUp`, of all users. For operators. */
  readonly deliveries: {
    list(query: { state: DeliveryState; after?: string; limit?: number }): Promise<{
      deliveries: DeliveryItem[]
      next?: string
    }>
    /** Calls the hook again at once, also of a dead letter. False when there is no such delivery, or its hook runs here. */
    retry(id: string): Promise<boolean>
    /** Drops a delivery for good. False when there is no such delivery. */
    drop(id: string): Promise<boolean>
  }
  /** Links with which one user answers one interaction without a login, on a page of `answerPage`. */
  readonly links: {
    /** Creates a link for a pending interaction. Only a hash of its token is stored. */
    create(options: AnswerLinkOptions): Promise<AnswerLink>
    /** Returns what a link stands for, or null when it is unknown, expired or revoked. */
    open(token: string): Promise<OpenedLink | null>
    /** Revokes the links of an interaction: those of one user, or all. Returns how many there were. */
    revoke(which: { interactionId: string; sessionId?: string; tenant?: string; userId?: string }): Promise<number>
  }
  readonly accounts: {
    /** Call it when a user's account was connected, renewed or removed; a provider with `changes` is heard by itself. */
    changed(account: UserRef & { integration: string }): Promise<void>
  }
  /** Removes a session completely; its open work is cancelled first. */
  eraseSession(session: { sessionId: string; tenant?: string }): Promise<void>
  /**
   * Drops all sessions, remembered approvals and account flows of a user, and takes them out of other people's: their
   * answers stay there, without name or id, in the questions and in the log. Pages that show one begin anew by themselves.
   * Tool inputs and form answers are not searched for the user's name.
   */
  eraseUser(who: UserRef): Promise<{ sessions: number }>
  /** Counters and current load of this process. */
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
  const known = environmentName() === 'development' ? registry<Known>().instances.get(key) : undefined
  if (known) {
    reload(known, options)
    return known.holdpoint
  }
  const kernel = assembleEngine(store, settingsOf(options))
  const stopStandingAlone = kernel.store.shared ? () => {} : joinAlone(kernel)
  const holdpoint = assemble(kernel, options, () => {
    stopStandingAlone()
    const { instances } = registry<Known>()
    if (instances.get(key)?.kernel === kernel) instances.delete(key)
  })
  if (environmentName() === 'development') registry<Known>().instances.set(key, { holdpoint, kernel })
  return holdpoint
}

/** An instance, and whether it was said already that it was given out again although its store was another one. */
interface Known {
  readonly holdpoint: Holdpoint
  readonly kernel: AssembledKernel
  told?: boolean
}

const GOODBYE_MS = 3_000

/** The module was evaluated again: questions that wait go on waiting, hooks are the new ones. */
function reload(known: Known, options: HoldpointOptions): void {
  const { kernel } = known
  const { store, environment: _same, waiting: _fixed, ...changed } = settingsOf(options)
  Object.assign(kernel.settings, changed)
  kernel.providerChanges.follow()
  // Two memory stores look like one that a hot reload made anew; only whoever wrote the calls knows.
  const doubtful = options.name === undefined && store && store !== kernel.store && store.place === undefined
  if (!doubtful || known.told) return
  known.told = true
  kernel.log.warn(
    `createHoldpoint was called again, and gave the instance that was there, with the ${store.name} store that it has: that is right after a hot reload. If two were meant, give each its name: createHoldpoint({ name: 'billing', … }).`,
    { code: 'instance_kept' },
  )
}

function assemble(kernel: AssembledKernel, options: HoldpointOptions, onClose: () => void): Holdpoint {
  const revoked = new Set<(who: UserRef) => void>()
  const engine = createEngine(kernel, revoked)
  const { settings } = kernel
  const { mountPath, routes, ...tuning } = options.http ?? {}
  const { allowedOrigins, allowedHosts } = options.security ?? {}
  const fetch = createFetch(engine, {
    ...{ allowedOrigins, allowedHosts, mountPath, routes, http: tuning },
    get authenticate() {
      return settings.authenticate
    },
    // The default one too: an answer that names a log entry must have one.
    get logger() {
      return kernel.log
    },
  })

  return {
    fetch,
    engine,
    environment: kernel.environment,
    session(sessionId, owner) {
      const { userId, tenant = '' } = owner ?? {}
      assertIds('holdpoint.session(sessionId, { userId })', { sessionId, userId })
      assertTenant('The owner of a session', owner)
      return createSession(kernel, { tenant, sessionId, userId: userId as string })
    },
    tool: (definition) => kernel.tools.register(definition),
    async recover() {
      kernel.heartbeat.follow()
      return { recovered: await recover(kernel) }
    },
    tick: () => tick(kernel),
    answer: (options) => answerFromCode(kernel, options),
    interactions: {
      list: (filter) => listInteractions(kernel, filter),
      get: (which) => getInteraction(kernel, which),
    },
    async cancelInteraction(interactionId, reason) {
      await kernel.ready()
      const { rows } = await kernel.store.byTag(questionTag(interactionId), { limit: 1 })
      const row = rows[0]
      return row ? await cancelQuestion(kernel, row.partition, interactionId, reason) : false
    },
    async revoke(who) {
      for (const listener of [...revoked]) listener(who)
      if (kernel.store.shared) await publishRevocation(kernel.store, kernel.incarnation, who)
    },
    approvals: {
      list: ({ userId, tenant = '' }) => listGrants(kernel, { tenant, userId }),
      async revoke({ userId, tenant = '', toolName, key }) {
        const text = key === undefined ? undefined : keyText(key)
        return await revokeGrants(kernel, { tenant, userId, tool: toolName, key: text })
      },
    },
    policies: {
      list: ({ userId, tenant = '' }) => listPolicies(kernel, { tenant, userId }),
      offer: (toolName, choices) => kernel.tools.offer(toolName, choices),
      set: ({ tenant = '', ...rest }) => setPolicy(kernel, { tenant, ...rest }),
      revoke: ({ tenant = '', ...rest }) => revokePolicy(kernel, { tenant, ...rest }),
    },
    deliveries: {
      async list(query) {
        await kernel.ready()
        return await listDeliveries(kernel, query)
      },
      async retry(id) {
        await kernel.ready()
        return await retryDelivery(kernel, id)
      },
      async drop(id) {
        await kernel.ready()
        return await dropDelivery(kernel, id)
      },
    },
    links: {
      create: (options) => createLink(kernel, options),
      open: (token) => openLink(kernel, token),
      revoke: (which) => revokeLinks(kernel, which),
    },
    accounts: {
      changed: ({ userId, tenant, integration }) => accountChanged(kernel, principal(userId, tenant), integration),
    },
    eraseSession: ({ sessionId, tenant = '' }) => eraseSession(kernel, tenant, sessionId),
    async eraseUser({ userId, tenant = '' }) {
      return { sessions: await eraseUser(kernel, tenant, userId) }
    },
    stats: () => ({ counts: kernel.counters.all, waiting: kernel.waiters.size, calls: kernel.calls.size }),
    async close() {
      onClose()
      kernel.providerChanges.stop()
      kernel.waiters.close()
      kernel.calls.close()
      fetch.app.close()
      kernel.scheduler.stop()
      // A database that does not answer must not keep a process from ending.
      const goodbye = Promise.allSettled([kernel.outbox.flush(), kernel.heartbeat.leave()])
      await within(kernel.environment, GOODBYE_MS, goodbye)
      await kernel.store.close()
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
