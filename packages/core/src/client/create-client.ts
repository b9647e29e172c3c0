import { HoldpointError } from '../error.ts'
import { applyEvents } from '../machine/apply/apply-events.ts'
import { applySnapshot } from '../machine/apply/apply-snapshot.ts'
import { update } from '../machine/apply/batch.ts'
import { initialState } from '../machine/state/initial.ts'
import type { HoldpointErrorCode } from '../protocol/error-codes.ts'
import type { ClientMessage } from '../protocol/index.ts'
import { sessionPath } from '../transport/http.ts'
import { required } from '../transport/required.ts'
import type { SendResult } from '../transport/types.ts'
import { shownDigest } from '../wire/shown-digest.ts'
import { createAnswers } from './answers.ts'
import { browserEnvironment } from './api/environment.ts'
import type { ConnectResult, HoldpointClient, HoldpointClientOptions } from './api/types.ts'
import { type Core, errorOf, succeeded } from './client-context.ts'
import type { LinkEvent } from './connection.ts'
import { createConnector } from './connector.ts'
import { createListeners } from './listeners.ts'
import { post } from './post.ts'
import { createPresence } from './presence.ts'
import { createResending } from './resending.ts'
import { createSchedule } from './schedule.ts'
import { createUserActions } from './user-actions.ts'

/**
 * The headless client of one session: it keeps the connection, applies the log and sends answers. It renders nothing.
 *
 * @example
 * const client = createHoldpointClient({ sessionId: 'task-42', transport: sse({ url: '/holdpoint' }) })
 * client.subscribe(() => console.log(client.getSnapshot().pendingIds))
 * await client.respond(interactionId, { action: 'approve', approvalScope: 'session' })
 */
export function createHoldpointClient(options: HoldpointClientOptions): HoldpointClient {
  required(options, 'sessionId', 'transport')
  const { sessionId, transport, interactive = true, initial } = options
  const overrides = options.environment
  // A `fetch` of the host may add credentials that Holdpoint cannot see, so such tabs must not share a stream.
  const env = { ...browserEnvironment(), ...(overrides?.fetch && { tabs: undefined }), ...overrides }
  const { surroundings } = env
  const clientId = options.clientId ?? env.id()
  const { add, notify } = createListeners()
  const core: Core = {
    options,
    env,
    context: { sessionId, clientId, env },
    schedule: createSchedule(env),
    state: initialState({ sessionId, clientId, interactive }),
    apply([next, topics, applied = [], resync]) {
      core.state = next
      if (topics.length) notify(['any', ...topics])
      for (const { event, cursor } of applied) notify(['event'], event, cursor)
      if (resync) link('gap')
      greet()
    },
  }
  /** True once the server knows this session. Before that it would refuse every message. */
  const exists = () => !/^(?:0\.|$)/.test(core.state.cursor ?? '')
  let greeted = true
  function greet(): void {
    if (greeted || !exists()) return
    greeted = true
    reportMode('hello')
  }
  // A server can still send what a recorded log lacks, once the client connects.
  let link: (event: LinkEvent) => void = () => {}
  if (initial?.snapshot) core.apply(applySnapshot(core.state, initial.snapshot, env.now()))
  if (initial?.events) core.apply(applyEvents(core.state, initial.events))
  const serverState = core.state
  link = createConnector(core, () => {
    greeted = false
    greet()
    resending.now()
  })

  const shownBy = (toolCallId: string) => {
    const { pendingIds, interactions } = core.state
    const open = pendingIds.map((id) => interactions.get(id)).find((it) => it?.toolCallId === toolCallId)
    return open && shownDigest(open.request)
  }
  const send = async (message: Unsigned) => {
    const posted = await post(
      core,
      (signal) => transport.send(core.context, { ...message, clientId } as ClientMessage, signal),
      ({ status }) => status === (confirmations[message.type as ClientMessage['type']] ?? 'accepted'),
    )
    const { status } = posted
    if (status < 200 || status === 429 || status >= 500) resending.plan()
    return posted
  }
  const must = async (posted: Promise<SendResult>) => {
    const result = await posted
    const { code, message } = errorOf(result)
    if (!succeeded(result))
      throw new HoldpointError(code as HoldpointErrorCode, message, { details: { status: result.status } })
    return result.body as never
  }
  const request = (
    path: string,
    init: { body?: unknown; raw?: Blob; contentType?: string },
    resultField: string,
    timeoutMs?: number,
  ) => {
    const full = sessionPath(core.context, path)
    return must(
      post(
        core,
        (signal) => transport.request(core.context, full, { method: 'POST', ...init, signal }),
        (body) => typeof body[resultField] === 'string',
        timeoutMs,
      ),
    )
  }
  const answers = createAnswers(core, send, () => link('reset'))
  const resending = createResending(
    core,
    () => unwatch !== undefined,
    () => {
      answers.resend()
      notify(['resend'])
    },
  )
  const reportMode = createPresence((type) => {
    const enabled = interactive && core.state.interactiveMode
    return send(
      type === 'hello'
        ? { type, interaction: { supported: interactive, enabled }, visible: !surroundings.hidden() }
        : { type, enabled },
    )
  })

  let auto = options.autoConnect !== false
  /** `connect()` was called, so the client stays connected until `close()`. */
  let kept = false
  let subscribers = 0
  let cancelLeave = () => {}
  let unwatch: (() => void) | undefined
  function start(): void {
    if (!unwatch) {
      unwatch = surroundings.watch((event) => {
        link(event)
        // While no stream is open, the next one begins with a hello. A page that is put away has none.
        if (event !== 'frozen' && core.state.connection.status === 'open' && exists()) reportMode('hello')
      })
      if (surroundings.hidden()) link('hidden')
    }
    link('start')
    if (!surroundings.online()) link('offline')
  }
  const stopWatching = () => {
    unwatch?.()
    unwatch = undefined
  }
  function leave(): void {
    if (subscribers || kept || !unwatch) return
    stopWatching()
    link('unused')
  }
  const listen: typeof add = (listener, topics) => {
    const remove = add(listener, topics)
    let here = 1
    subscribers++
    cancelLeave()
    if (auto && !unwatch) start()
    return () => {
      remove()
      subscribers -= here
      // A second call of the unsubscribe function, and a second subscriber that leaves within the grace period, change
      // nothing.
      if (here && !subscribers) {
        cancelLeave()
        cancelLeave = core.schedule.after(GRACE_MS, leave)
      }
      here = 0
    }
  }

  return {
    sessionId,
    clientId,
    subscribe: (listener, topics) => listen(listener, topics ?? 'any'),
    onEvent: (listener) => listen(listener, 'event'),
    getSnapshot: () => core.state,
    getServerSnapshot: () => serverState,
    respond: answers.respond,
    respondAll: answers.respondAll,
    retry: answers.retry,
    discard: answers.discard,
    ...createUserActions(env, shownBy, (actions) => must(send({ type: 'user_actions', actions }))),
    async extend(interactionId) {
      const posted = await send({ type: 'extend_interaction', interactionId })
      const { code } = errorOf(posted)
      return { status: succeeded(posted) ? 'extended' : code === 'not_extendable' ? code : 'failed' }
    },
    connectAccount: (interactionId, integration, returning) =>
      request('/connect', { body: { interactionId, integration, ...returning } }, 'flowId') as Promise<ConnectResult>,
    submitAuthResult: (generationId, integration, success) =>
      must(send({ type: 'submit_auth_result', generationId, integration, success })),
    cancelRun: (runId) => must(send({ type: 'cancel_run', runId })),
    setInteractionMode(enabled) {
      if (enabled === core.state.interactiveMode) return
      core.apply(update(core.state, { interactiveMode: enabled }))
      if (unwatch && exists()) reportMode('set_interaction_mode')
    },
    upload(interactionId, fieldId, file, keeps) {
      const { name = 'file', type } = file
      const query = new URLSearchParams({ interactionId, fieldId, name, type })
      // An empty one says that no file is kept.
      for (const handle of keeps ? ['', ...keeps] : []) query.append('keeps', handle)
      // An upload has no time limit, because the speed of the connection is unknown.
      const init = { raw: file, contentType: 'application/octet-stream' }
      return request(`/uploads?${query}`, init, 'handle', Number.POSITIVE_INFINITY)
    },
    connect() {
      kept = true
      start()
    },
    reconnect() {
      link('retry')
    },
    close() {
      auto = false
      kept = false
      stopWatching()
      link('close')
      core.schedule.flush()
    },
  }
}

/** How long a client without subscribers stays connected. Effects that run twice and page changes take less time. */
const GRACE_MS = 1_000

/** The `status` with which a server confirms a message, if it is not `accepted`. */
const confirmations: Partial<Record<ClientMessage['type'], string>> = {
  cancel_run: 'cancelled',
  extend_interaction: 'extended',
}

/** A message before the client's id is added. */
type Unsigned = ClientMessage extends infer M ? (M extends ClientMessage ? Omit<M, 'clientId'> : never) : never
