import { HoldpointError, type HoldpointErrorCode, type UserAction } from '@holdpoint/core'
import { schemas } from '@holdpoint/core/protocol'
import { assertIds } from '../../base/assert-ids.ts'
import { digestOf, type Json } from '../../base/canonical-json.ts'
import { accessSession } from '../access/authorize.ts'
import type { Tool, ToolRun } from '../api/tool.ts'
import type { ToolContext } from '../api/tool-context.ts'
import type { AcceptedAction } from '../api/user-actions.ts'
import { claimSession } from '../calls/claim-call.ts'
import { type CallIdentity, Execution } from '../calls/execution.ts'
import { toolContext } from '../context/create-tool-context.ts'
import { cancelRun, cancelSession, declineWaiting } from '../ending/cancel.ts'
import { encodeHostEvent } from '../kernel/encode-host-event.ts'
import { SESSION_ROW, sessionPartition } from '../records/keys.ts'
import { changeRun } from '../records/run-records.ts'
import { iso } from '../state/question-events.ts'
import { setStatus } from '../state/run-steps.ts'
import type { ToolKernel } from '../tools/tool-kernel.ts'
import { beginTurn, type CurrentRun, stopTurn, type Turn, type TurnOptions, takeTurn } from './turn.ts'
import { acceptUserActions } from './user-actions.ts'

/**
 * Tells a call from every other one. Give the same ids when the same call is made again, so that it joins what was
 * asked.
 */
export interface ToolCallOptions {
  /** One turn of the agent. Model providers use tool call ids again; with the run they are unique. */
  runId: string
  toolCallId: string
  toolName: string
  /** Ends this process's waiting when it is aborted, never the question: a page reload aborts requests. */
  signal?: AbortSignal
  /**
   * Passed to `onSettled` when a question of this call ends, so that the asking code can be resumed: a workflow's token, for
   * example. At most 2 KB of JSON.
   */
  wake?: Json
}

/** An event as the host writes it; the session and the time are added. */
export type EmittedEvent = { type: string; [field: string]: unknown }

/** One conversation of one user with one agent. */
export interface Session {
  readonly sessionId: string
  readonly userId: string
  /**
   * A context for one tool call, inside any agent framework.
   *
   * @example
   * const ctx = session.toolCall({ runId: 'run-1', toolCallId: 'call-1', toolName: 'delete_files', signal })
   */
  toolCall(options: ToolCallOptions): ToolContext
  /**
   * The same for frameworks that end a request at a question and call the tool again later by themselves: what would
   * wait rejects with `interaction_waiting` instead, and asking again once it is settled gets the answer. Pass `wake` and
   * `hooks.onSettled` to learn when that is.
   *
   * If `runTool` runs the call afterwards with a tool that asks the same in `before`, pass the `input` of the call. Its
   * questions are then bound to this input: another input under the same ids is rejected with `call_mismatch`. The gate
   * then only reads a question that is open or answered, and `runTool` records the outcome when it begins the call.
   */
  gate(options: Omit<ToolCallOptions, 'signal'> & { input?: unknown }): ToolContext
  /**
   * Runs a registered tool. `input` is what the tool's schema reads: a field with a default may be left out. A call that
   * has finished is not run again: its record is returned.
   *
   * @example
   * await session.runTool(deleteFiles, { files }, { runId: 'run-1', toolCallId: 'call-1' })
   */
  runTool<Input, Result, Raw = Input>(
    tool: Tool<Input, Result, Raw>,
    input: NoInfer<Raw>,
    options: Omit<ToolCallOptions, 'toolName' | 'wake'>,
  ): Promise<ToolRun<Result>>
  /**
   * Accepts user actions from a request of your own (`takeActions()` of the client). Returns the new ones with their
   * text for the model; rejects with the code of the refusal.
   *
   * @example
   * const { text, userActions } = await request.json()
   * const done = await session.userActions(userActions)
   * messages.push({ role: 'user', content: [...done.map(({ message }) => message), text].join('\n\n') })
   */
  userActions(actions: readonly UserAction[], from?: { clientId?: string }): Promise<AcceptedAction[]>
  /**
   * Creates the session, if it does not exist yet. Everything that writes into a session creates it as well: call this
   * where a page shall be able to read and post to the session before its first event.
   *
   * @example
   * await holdpoint.session(chat.id, { userId }).open()
   */
  open(): Promise<void>
  /** Appends an event of the host to the session's log, for all its readers. */
  emit(event: EmittedEvent): Promise<void>
  /**
   * Begins to stream one turn of the agent. With `message`, the person's new text, it aborts the stream of the previous
   * turn in every process, and declines the open questions. Without `message` it continues a stopped run.
   *
   * @example
   * const turn = await session.turn({ runId: 'run-2', message: text })
   * const messages = toModelMessages(await readHistory(holdpoint, { sessionId, userId }))
   * const { fullStream } = streamText({ model, tools, messages, abortSignal: turn.signal })
   * await turn.stream(fullStream)
   */
  turn(options: TurnOptions): Promise<Turn>
  /**
   * Stops the turn that streams now; open questions stay open. False if no turn streams. Continue with `turn({ runId
   * })`.
   */
  stop(reason?: string): Promise<boolean>
  /** Ends a run with all its questions; its tools get `onCancel` and an aborted signal. */
  cancelRun(runId: string, reason?: string): Promise<void>
  /** Ends all open work of the session. */
  cancel(reason?: string): Promise<void>
  /**
   * Declines open questions because the user continued without answering. Returns the ids of the questions. With the
   * `runId` of the new message, questions of that run stay, and a tool of an earlier run that asks afterwards is
   * rejected as `superseded`. If several agents share the session, name the conversation of the message with `thread`:
   * the questions of others stay.
   */
  declineWaiting(current?: CurrentRun): Promise<string[]>
}

export function createSession(
  kernel: ToolKernel,
  { tenant, sessionId, userId }: Pick<CallIdentity, 'tenant' | 'sessionId' | 'userId'>,
): Session {
  const partition = sessionPartition(tenant, sessionId)
  // Written out, because an object that is spread takes more memory.
  const identify = ({ runId, toolCallId, toolName }: Omit<CallIdentity, 'tenant' | 'sessionId' | 'userId'>) => {
    const identity: CallIdentity = { tenant, sessionId, userId, runId, toolCallId, toolName }
    return identity
  }

  return {
    sessionId,
    userId,

    toolCall({ signal, wake, ...call }) {
      const execution = new Execution(identify(call), { registered: false, waiter: 'inline', wake })
      return toolContext({ kernel, execution, detachSignal: signal })
    },

    gate({ wake, input, ...call }) {
      const gatedInput = input === undefined ? undefined : digestOf(input)
      const execution = new Execution(identify(call), { registered: true, waiter: 'gate', wake, gatedInput })
      return toolContext({ kernel, execution, detachSignal: undefined })
    },

    // An arrow function, because a method would keep this whole object while the tool runs.
    runTool: async (tool, input, { signal, runId, toolCallId }) =>
      await kernel.tools.run(tool, input, identify({ runId, toolCallId, toolName: tool.name }), signal),

    async userActions(actions, { clientId = 'host' } = {}) {
      const parsed = schemas.userAction.array().max(kernel.limits.userActions).safeParse(actions)
      if (!parsed.success) throw refusedActions({ code: 'invalid_message', message: 'The user actions are malformed.' })
      if (parsed.data.length === 0) return []
      const principal = { userId, tenant }
      if (!(await accessSession(kernel, principal, sessionId, 'respond'))) throw refusedActions(notFound)
      const taken = await acceptUserActions(kernel, principal, { tenant, sessionId }, clientId, parsed.data)
      if (taken.ok) return taken.accepted
      throw refusedActions((taken.reply.body as { error: RefusedActions }).error)
    },

    async open() {
      await kernel.ready()
      await kernel.transact(partition, async (tx) => {
        const [session] = await tx.read(['session', SESSION_ROW])
        claimSession(tx, { identity: identify({ runId: '', toolCallId: '', toolName: '' }) }, session)
      })
    },

    async emit(event) {
      await kernel.ready()
      await kernel.transact(partition, async (tx) => {
        const [session] = await tx.read(['session', SESSION_ROW])
        claimSession(tx, { identity: identify({ runId: '', toolCallId: '', toolName: '' }) }, session)
        const stamped = { timestamp: iso(tx.now), ...event, sessionId }
        const json = encodeHostEvent(kernel, stamped)
        if (stamped.type !== 'run_status') return tx.eventText(json)
        const validated = schemas.knownEvent.parse(stamped)
        if (validated.type !== 'run_status') return
        await changeRun(tx, sessionId, validated.runId, (run) => setStatus(run, validated.status, validated.reason))
      })
    },

    turn: (options) => beginTurn(kernel, { tenant, sessionId, userId }, options),
    stop: (reason) => stopTurn(kernel, { tenant, sessionId, userId }, reason),

    async cancelRun(runId, reason) {
      assertIds('session.cancelRun', { runId })
      await kernel.ready()
      await cancelRun(kernel, partition, sessionId, runId, reason)
    },
    async cancel(reason) {
      await kernel.ready()
      await cancelSession(kernel, partition, sessionId, reason)
    },
    async declineWaiting(current) {
      if (current) return await takeTurn(kernel, { tenant, sessionId, userId }, current)
      await kernel.ready()
      return await declineWaiting(kernel, partition, sessionId)
    },
  }
}

interface RefusedActions {
  code: string
  message: string
  [fact: string]: unknown
}
const notFound = { code: 'not_found', message: 'Session not found, or it belongs to another user.' }

function refusedActions({ code, message, ...details }: RefusedActions): HoldpointError {
  return new HoldpointError(code as HoldpointErrorCode, `The user actions were refused: ${message}`, { details })
}
