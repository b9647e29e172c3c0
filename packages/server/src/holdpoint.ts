import { assertIds, assertTenant, assertUser, isId } from './base/assert-ids.ts'
import { within } from './base/environment.ts'
import type { Principal } from './base/principal.ts'
import { accountChanged } from './engine/accounts/start-connecting.ts'
import type { SessionRecord } from './engine/api/engine.ts'
import type {
  AnswerOptions,
  AnswerOutcome,
  InteractionFilter,
  InteractionList,
  InteractionRecord,
} from './engine/api/interactions.ts'
import type { Tool, ToolDefinition } from './engine/api/tool.ts'
import type { AssembledKernel } from './engine/assemble.ts'
import { keyText } from './engine/consent/approval-key.ts'
import { listRemembered, type RememberedApproval, revokeRemembered } from './engine/consent/list-remembered.ts'
import {
  listToolSettings,
  revokeToolSetting,
  setToolSetting,
  type ToolSetting,
} from './engine/consent/tool-settings.ts'
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
import { listSessions, sessionRecord } from './engine/session/list-sessions.ts'
import { eraseSession, eraseUser } from './engine/upkeep/erase.ts'
import { recover } from './engine/upkeep/recover.ts'
import { tick } from './engine/upkeep/tick.ts'
import { createFetch } from './http/create-fetch.ts'
import { appOf, type HoldpointFetch } from './http/mounted.ts'
import type { HoldpointOptions } from './options.ts'
import { publishRevocation } from './security/revocations.ts'

/** The user that a call concerns. */
export interface UserRef {
  userId: string
  tenant?: string
}

/** One Holdpoint, the object that a back end uses. It holds all state; there are no globals. */
export interface Holdpoint {
  /** Handles a web-standard request: `(Request) => Promise<Response>`. The framework adapters call it. */
  readonly fetch: HoldpointFetch
  /** Returns a session. The session belongs to its first user; calls for another user are rejected. */
  session(sessionId: string, owner: UserRef): Session
  /**
   * Registers a tool. After a crash, the tool runs again with its stored input, and answered questions are not asked
   * again.
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
  tool<Input, Result, Raw = Input, Before = undefined>(
    definition: ToolDefinition<Input, Result, Raw, Before>,
  ): Tool<Input, Result, Raw>
  /** Runs the calls of registered tools again whose process died. Call it once when the process has started. */
  recover(): Promise<{ recovered: number }>
  /** Runs due work once: deadlines, deliveries and recovery. Call it from a cron job if no process keeps running. */
  tick(): Promise<void>
  /**
   * Answers an interaction from code: from a chat platform, an e-mail link or a command line. Authorization,
   * validation, error codes and the rule that only one answer wins are the same as over HTTP.
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
  readonly sessions: {
    /**
     * Returns a session, or null if it does not exist or the principal may not read it. The result does not reveal
     * which of the two it is.
     *
     * @example
     * const session = await holdpoint.sessions.get({ principal, sessionId })
     * if (!session) return new Response('There is no such chat.', { status: 404 })
     */
    get(which: { principal: Principal; sessionId: string }): Promise<SessionRecord | null>
    /** Lists the sessions that belong to a user, page by page. `next` is the `after` of the next page. */
    list(query: UserRef & { after?: string; limit?: number }): Promise<{ sessions: SessionRecord[]; next?: string }>
  }
  /**
   * Cancels a run on behalf of a principal, with the same authorization as over HTTP. Returns false if the run does not
   * exist or the principal may not cancel it. `session.cancelRun` cancels without authorization.
   */
  cancelRun(which: { principal: Principal; sessionId: string; runId: string }): Promise<boolean>
  /** Ends one question. Returns false if it had ended already. */
  cancelInteraction(interactionId: string, reason?: string): Promise<boolean>
  /**
   * Ends this user's streams: on this node at once, on other nodes of the same store when they receive the revocation.
   * Resolves when the revocation is stored. Independently of this call, streams are authorized again every 60 s.
   */
  revoke(who: UserRef): Promise<void>
  readonly approvals: {
    list(who: UserRef): Promise<RememberedApproval[]>
    /**
     * Deletes remembered approvals of this user: one key of a tool, all of a tool, or all. Returns the number of
     * deleted ones.
     */
    revoke(who: UserRef & { toolName?: string; key?: unknown }): Promise<number>
  }
  /** The tool settings that users chose for tools with `withPolicy`. They apply to all sessions of the user. */
  readonly toolSettings: {
    list(who: UserRef): Promise<ToolSetting[]>
    /** Registers the choices for a tool that was not created with `holdpoint.tool`, such as a tool of the AI SDK. */
    offer(toolName: string, choices: readonly string[]): void
    /** Stores a choice. Rejects with `unknown_tool_setting` if the tool does not offer it. */
    set(who: UserRef & { toolName: string; choice: string }): Promise<void>
    /**
     * Deletes the user's choice for one tool, or for all tools, so that the tool's own default applies. Returns the
     * number of deleted choices.
     */
    revoke(who: UserRef & { toolName?: string }): Promise<number>
  }
  /** The deliveries to `onToolResult`, `onFollowUp` and other hooks, of all users. For operators. */
  readonly deliveries: {
    list(query: { state: DeliveryState; after?: string; limit?: number }): Promise<{
      deliveries: DeliveryItem[]
      next?: string
    }>
    /**
     * Calls the hook again at once, also for a dead letter. Returns false if the delivery does not exist, or if this
     * process is calling its hook right now.
     */
    retry(id: string): Promise<boolean>
    /** Deletes a delivery permanently. Returns false if the delivery does not exist. */
    drop(id: string): Promise<boolean>
  }
  /** Links that let one user answer one interaction without a login, on the page that `answerPage` serves. */
  readonly links: {
    /** Creates a link for a pending interaction. Only a hash of its token is stored. */
    create(options: AnswerLinkOptions): Promise<AnswerLink>
    /** Returns the session, interaction and user of a link, or null when it is unknown, expired or revoked. */
    open(token: string): Promise<OpenedLink | null>
    /** Revokes the links of an interaction: those of one user, or all. Returns how many there were. */
    revoke(which: { interactionId: string; sessionId?: string; tenant?: string; userId?: string }): Promise<number>
  }
  readonly accounts: {
    /**
     * Notifies the engine that a user's account was connected, renewed or removed. Not needed for an account provider
     * with `changes`, which reports this itself.
     */
    changed(account: UserRef & { integration: string }): Promise<void>
  }
  /** Removes a session completely; its open work is cancelled first. */
  eraseSession(session: { sessionId: string; tenant?: string }): Promise<void>
  /**
   * Deletes all sessions, remembered approvals and account flows of a user. In other users' sessions the answers of
   * this user stay in the questions and in the log, but without name and id. Pages that show such a session reload it.
   * Tool inputs and form answers are not searched for the user's name.
   */
  eraseUser(who: UserRef): Promise<{ sessions: number }>
  /** Counters and current load of this process. */
  stats(): { counts: Counts; waiting: number; calls: number }
  /**
   * Stops timers and streams, and releases the calls of this process. Questions stay open. Promises that wait in this
   * process never settle, and another process continues the calls.
   */
  close(): Promise<void>
}

const GOODBYE_MS = 3_000

/**
 * Creates the object that applications use, on top of an engine. This module imports no store driver, so it also runs
 * in a browser.
 */
export function assembleHoldpoint(
  kernel: AssembledKernel,
  options: HoldpointOptions,
  onClose: () => void = () => {},
): Holdpoint {
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
    // Includes the default logger: an error answer names the id of a log entry, so that entry must exist.
    get logger() {
      return kernel.log
    },
  })

  return {
    fetch,
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
    sessions: {
      async get({ principal, sessionId }) {
        const session = await engine.access(principal, sessionId, 'read')
        return session && sessionRecord(session)
      },
      list: async (query) => await listSessions(kernel, { ...query, ...assertUser('sessions.list', query) }),
    },
    async cancelRun({ principal, sessionId, runId }) {
      const message = { type: 'cancel_run' as const, clientId: 'server', runId }
      return (await engine.cancelRun(principal, sessionId, message)).status === 200
    },
    async cancelInteraction(interactionId, reason) {
      if (!isId(interactionId)) return false
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
      list: async (who) => await listRemembered(kernel, assertUser('approvals.list', who)),
      async revoke({ toolName, key, ...who }) {
        const owner = assertUser('approvals.revoke', who)
        const text = key === undefined ? undefined : keyText(key)
        return await revokeRemembered(kernel, { ...owner, tool: toolName, key: text })
      },
    },
    toolSettings: {
      list: async (who) => await listToolSettings(kernel, assertUser('toolSettings.list', who)),
      offer: (toolName, choices) => kernel.tools.offer(toolName, choices),
      set: async (setting) => await setToolSetting(kernel, { ...setting, ...assertUser('toolSettings.set', setting) }),
      revoke: async (which) =>
        await revokeToolSetting(kernel, { ...which, ...assertUser('toolSettings.revoke', which) }),
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
      async changed({ userId, tenant, integration }) {
        assertUser('accounts.changed', { userId, tenant })
        assertIds('accounts.changed', { integration })
        await accountChanged(kernel, principal(userId, tenant), integration)
      },
    },
    async eraseSession({ sessionId, ...owner }) {
      assertIds('holdpoint.eraseSession', { sessionId })
      assertTenant('holdpoint.eraseSession', owner)
      await eraseSession(kernel, owner.tenant ?? '', sessionId)
    },
    async eraseUser(who) {
      const { userId, tenant } = assertUser('holdpoint.eraseUser', who)
      return { sessions: await eraseUser(kernel, tenant, userId) }
    },
    stats: () => ({ counts: kernel.counters.all, waiting: kernel.waiters.size, calls: kernel.calls.size }),
    async close() {
      onClose()
      kernel.providerChanges.stop()
      kernel.waiters.close()
      kernel.calls.close()
      appOf({ fetch }).close()
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
