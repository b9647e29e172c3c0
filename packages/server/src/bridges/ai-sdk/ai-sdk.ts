import { HoldpointError, isHoldpointError } from '@holdpoint/core'
import type { ModelMessage, ToolApprovalStatus, ToolSet, UIMessage, UIMessageChunk } from 'ai'
import type { Session } from '../../engine/session/create-session.ts'
import type { Holdpoint } from '../../holdpoint.ts'
import { engineOf } from '../../http/mounted.ts'
import { askAtGate } from '../handlers/ask-at-gate.ts'
import { outputOf, refusedBy, stillWaiting } from '../handlers/tool-not-run.ts'
import { type CallStanding, callNotAllowed, standingOf } from './call-standing.ts'
import { declinedIn } from './declined-messages.ts'
import { type AiOptions, asTool, type GuardedTool, guardedTool, needs, withOptions } from './guarded-tool.ts'
import { recordDenials } from './record-denials.ts'
import { describe } from './stream/descriptor.ts'
import { withQuestions } from './stream/ui-stream.ts'
import { continuedParts, isAnsweredIn, toolNameOf } from './tool-parts.ts'

/** Names the session, user and turn of a request, and decides whether its stream stays open at a question. */
export interface AiSdkOptions {
  sessionId: string
  userId: string
  tenant?: string
  /**
   * The id of one turn of the agent, which must stay the same when its request is repeated. The default is the id of
   * the last user message.
   */
  runId?: string
  /** The messages of the request, as `useChat` sends them. */
  messages?: readonly UIMessage[]
  /**
   * `inline`: the stream stays open while the person decides. `suspend`: it ends at the question, and the request that
   * `useChat` sends after the answer continues the turn.
   */
  mode: 'inline' | 'suspend'
}

type ToolApproval = (request: {
  toolCall: { toolCallId: string; toolName: string; input: unknown }
  tools: ToolSet | undefined
  toolsContext: object
  messages: ModelMessage[]
}) => Promise<ToolApprovalStatus>

/**
 * The object that a route of an AI SDK app uses for one request: its tools, its approvals and its stream, all bound to
 * one session.
 */
export interface AiSdk {
  readonly session: Session
  readonly runId: string
  /** Returns the same tools, run by Holdpoint: each call runs once, after its questions are settled. */
  tools<Tools extends ToolSet>(tools: Tools): Tools
  /** Pass it to every `streamText` and `generateText`. It has no effect with `inline`. */
  readonly toolApproval: ToolApproval
  /** Adds to a stream which question belongs to which part, for `useChat`. */
  uiStream<Chunk extends UIMessageChunk>(stream: ReadableStream<Chunk>): ReadableStream<Chunk>
  /**
   * Makes this request's turn the current one of the session. Questions of an earlier turn are declined, and later
   * questions of its tools are rejected. A denial in the messages, from buttons of your own, is recorded. Returns the
   * messages for the model. Call it with every request. A repeated request of a turn does not decline the questions of
   * that turn.
   */
  declineWaiting(): Promise<UIMessage[]>
}

/**
 * Connects one request of an AI SDK app to Holdpoint.
 *
 * @example
 * const { messages } = await request.json()
 * const hp = aiSdk(holdpoint, { sessionId: chatId, userId, messages, mode: 'suspend' })
 * const result = streamText({
 *   model,
 *   messages: await convertToModelMessages(await hp.declineWaiting()),
 *   tools: hp.tools({ deleteFiles }),
 *   toolApproval: hp.toolApproval,
 * })
 * result.consumeStream()
 * return createUIMessageStreamResponse({ stream: hp.uiStream(toUIMessageStream({ stream: result.stream })) })
 */
export function aiSdk(holdpoint: Holdpoint, options: AiSdkOptions): AiSdk {
  const { sessionId, userId, tenant = '', mode, messages = [] } = options
  const runId = turnOf(options)
  const engine = engineOf(holdpoint)
  const session = holdpoint.session(sessionId, { userId, tenant })
  const where = { tenant, sessionId }
  const guarded = new Map<string, GuardedTool>()
  /** The questions of this request that a native approval part shows, by tool call. */
  const native = new Map<string, string | undefined>()

  /** The calls of this request whose questions are settled. */
  const asked = new Set<string>()

  const standing = async (toolCallId: string, input: unknown): Promise<CallStanding> => {
    // Prepares the store, and rejects a user who does not own the session.
    const mine = await engine.access({ userId, tenant }, sessionId, 'read')
    return mine ? await standingOf(engine, where, { runId, toolCallId, input }) : { state: 'unknown' }
  }

  /** Asks the questions of a call. Returns true only while one of them is open. */
  async function ask(tool: GuardedTool, input: unknown, ai: AiOptions): Promise<boolean> {
    const { toolCallId } = ai
    const call = { runId, toolCallId, toolName: tool.name, input }
    const { settle } = withOptions(tool, () => ai)
    const waiting = await askAtGate(engine.environment, session, call, (gate) => settle(input, gate))
    if (waiting === undefined) asked.add(toolCallId)
    else native.set(toolCallId, waiting)
    return waiting !== undefined
  }

  /** Runs a call, joins it, or returns its record. If the user leaves the page, waiting ends but the call continues. */
  async function run(tool: GuardedTool, input: unknown, ai: AiOptions): Promise<unknown> {
    const { toolCallId, abortSignal: signal } = ai
    try {
      const runnable = asTool(tool, () => ai)
      const ran = await session.runTool(runnable, input, { runId, toolCallId, ...(signal && { signal }) })
      return ran.status === 'completed' ? ran.result : stillWaiting()
    } catch (error) {
      const refused = refusedBy(error)
      if (refused) return outputOf(refused)
      throw error
    }
  }

  async function execute(tool: GuardedTool, input: unknown, ai: AiOptions): Promise<unknown> {
    // The SDK runs a call of an earlier request because its messages claim an approval.
    if (mode === 'suspend' && tool.mayAsk && !asked.has(ai.toolCallId)) {
      const { state } = await standing(ai.toolCallId, input)
      if (state !== 'settled' && state !== 'begun') throw callNotAllowed(state, tool.name)
    }
    return await run(tool, input, ai)
  }

  /**
   * Ends the call of a denied tool, because the SDK does not execute it. The call is then recorded, and all clients
   * show its end.
   */
  async function conclude(toolCallId: string): Promise<void> {
    const part = continuedParts(messages).find((one) => one.toolCallId === toolCallId)
    const tool = part && guarded.get(toolNameOf(part))
    if (!tool) return
    const ai = { toolCallId, messages: [], context: undefined }
    const { state, refused } = await standing(toolCallId, part.input)
    // If the tool now asks another question, it must not run with the earlier answer.
    if (state === 'settled' && refused && !(await ask(tool, part.input, ai))) await run(tool, part.input, ai)
  }

  return {
    session,
    runId,

    tools(tools) {
      const wrapped = Object.entries(tools).map(([name, tool]) => {
        const own = guardedTool(name, tool)
        if (!own) return [name, tool]
        guarded.set(name, own)
        if (own.choices) holdpoint.toolSettings.offer(name, own.choices)
        if (own.schema) engine.checkEdits(name, own.schema)
        const { needsApproval: _ours, ...rest } = tool
        return [name, { ...rest, execute: (input: unknown, ai: AiOptions) => execute(own, input, ai) }]
      })
      return Object.fromEntries(wrapped)
    },

    async toolApproval({ toolCall, tools, toolsContext, messages }) {
      const { toolCallId, toolName, input } = toolCall
      const tool = guarded.get(toolName)
      const context = (toolsContext as Record<string, unknown> | undefined)?.[toolName]
      const ai = { toolCallId, messages, context }
      if (!tool) return (await needs(tools?.[toolName], input, ai)) ? 'user-approval' : undefined
      if (mode === 'inline' || !tool.mayAsk) return undefined
      // The messages claim an approval, which the wrapped `execute` verifies against the store.
      if (isAnsweredIn(messages, toolCallId)) return 'user-approval'
      native.set(toolCallId, undefined)
      try {
        return (await ask(tool, input, ai)) ? 'user-approval' : undefined
      } catch (error) {
        if (isHoldpointError(error, 'call_mismatch')) return { type: 'denied', reason: error.message }
        throw error
      }
    },

    uiStream(stream) {
      return withQuestions(holdpoint, stream, {
        ...{ session: where, runId },
        isNative: (toolCallId) => native.has(toolCallId),
        onDenied: conclude,
        approvalId: (toolCallId) =>
          continuedParts(messages).find((part) => part.toolCallId === toolCallId)?.approval?.id,
        descriptor: async (toolCallId) => {
          const id = native.get(toolCallId)
          const found = id === undefined ? null : await engine.reads.interaction(where, id)
          return found ? describe(found.record) : undefined
        },
      })
    },

    async declineWaiting() {
      const principal = { userId, tenant }
      const mine = await engine.access(principal, sessionId, 'read')
      if (mine) await recordDenials(engine, { sessionId, runId, principal }, messages)
      const current = { runId, continues: messages.at(-1)?.role === 'assistant', thread: 'ai-sdk' }
      await session.declineWaiting(current).catch((error) => {
        // The session belongs to another user. Each tool call of the request is rejected for this reason later.
        if (!isHoldpointError(error, 'session_owner_mismatch')) throw error
      })
      return await declinedIn(engine, where, messages)
    },
  }
}

function turnOf({ runId, messages = [] }: AiSdkOptions): string {
  const turn = runId ?? messages.findLast(({ role }) => role === 'user')?.id
  if (turn) return turn
  throw new HoldpointError(
    'run_id_required',
    'aiSdk needs to know the turn that it works in: pass `messages` (the last user message names it) or a `runId` of your own that stays the same when the request is repeated.',
  )
}
