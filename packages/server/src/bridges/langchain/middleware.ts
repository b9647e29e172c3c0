import { HoldpointError, isHoldpointError } from '@holdpoint/core'
import type { BaseMessage } from '@langchain/core/messages'
import { type AgentMiddleware, createMiddleware, type Runtime } from 'langchain'
import type { Session } from '../../engine/session/create-session.ts'
import type { Holdpoint } from '../../holdpoint.ts'
import { engineOf } from '../../http/mounted.ts'
import { askAtGate, type GatedCall } from '../handlers/ask-at-gate.ts'
import { callIdOf } from '../handlers/asking-tool.ts'
import { refusedBy } from '../handlers/tool-not-run.ts'
import { type ApproveRule, asTool, type GatedTool, gatedTool, inputOf } from './gated-tool.ts'
import { interruptAt, outsideGraph } from './interrupt.ts'
import { type CallName, failureOf, outputFrom, type Recorded, refusalOf } from './record.ts'
import { turnBefore, withResults } from './unanswered.ts'
import { wakeOf } from './wake.ts'

/** The user who answers the questions of a thread. */
export interface ThreadOwner {
  userId: string
  tenant?: string
  /** @default the thread's id */
  sessionId?: string
}

/** Options of `holdpointMiddleware`. */
export interface HoldpointMiddlewareOptions<Context = unknown> {
  /**
   * The owner of the thread. Read it from what your server has authenticated: a client of a hosted graph may choose
   * `configurable` itself.
   */
  owner: ThreadOwner | ((runtime: Runtime<Context>) => ThreadOwner | Promise<ThreadOwner>)
  /**
   * The schema of the context that `owner` reads: a zod object. LangChain passes a middleware only the fields of its own
   * schema.
   *
   * @default none: `owner` receives an empty context
   */
  contextSchema?: NonNullable<Parameters<typeof createMiddleware>[0]['contextSchema']>
  /**
   * Approvals for tools that were not created with `langchainTool`, by tool name. `true` asks for every call. A
   * function returns the approval, or nothing if the input needs none.
   *
   * @default none
   */
  approve?: Readonly<Record<string, ApproveRule>>
}

/**
 * Creates a middleware for `createAgent` whose tools ask people before they run. An open question interrupts the
 * thread, so the agent needs a checkpointer. When the thread is resumed, the call reads its answer from the store and
 * runs once. Use it in place of `humanInTheLoopMiddleware`.
 *
 * @example
 * const agent = createAgent({
 *   model,
 *   tools: [deleteFiles],
 *   checkpointer,
 *   contextSchema,
 *   middleware: [holdpointMiddleware(holdpoint, { contextSchema, owner: ({ context }) => ({ userId: context.userId }) })],
 * })
 */
export function holdpointMiddleware<Context = unknown>(
  holdpoint: Holdpoint,
  { owner, contextSchema, approve: rules = {} }: HoldpointMiddlewareOptions<Context>,
): AgentMiddleware {
  const engine = engineOf(holdpoint)

  async function threadOf(runtime: Runtime) {
    const threadId = runtime.configurable?.thread_id
    const {
      userId,
      tenant = '',
      sessionId = threadId,
    } = typeof owner === 'function' ? await owner(runtime as Runtime<Context>) : owner
    if (sessionId === undefined) throw noThread()
    return { threadId, tenant, sessionId, session: holdpoint.session(sessionId, { userId, tenant }) }
  }

  /** Runs a call once its questions are settled. An open question interrupts the thread. */
  async function run(tool: GatedTool, session: Session, call: GatedCall): Promise<Recorded> {
    for (;;) {
      const { input, runId, toolCallId } = call
      const ask = () => askAtGate(engine.environment, session, call, (gate) => tool.settle(input, gate))
      let waiting: unknown = await outsideGraph(ask)
      if (waiting === undefined) {
        const ran = await outsideGraph(() => session.runTool(asTool(tool), input, { runId, toolCallId }))
        if (ran.status === 'completed') return ran.result
        waiting = ran.interactionIds[0]
      }
      interruptAt(session, call, waiting)
    }
  }

  return createMiddleware({
    name: 'HoldpointMiddleware',
    ...(contextSchema && { contextSchema }),

    async beforeAgent({ messages }, runtime) {
      // An agent that runs within a tool belongs to the turn of the outer agent.
      if (isNested(runtime) || messages.at(-1)?.getType() !== 'human') return undefined
      const { session, threadId, ...where } = await threadOf(runtime)
      const thread = `langchain:${threadId ?? ''}`
      await outsideGraph(() => session.declineWaiting({ runId: turnOf(messages), thread }))
      return await withResults(engine, where, messages)
    },

    async wrapToolCall(request, handler) {
      const tool = gatedTool(request, handler, rules)
      if (!tool) return await handler(request)
      const read = await inputOf(tool, request.toolCall.args)
      // The input is invalid. LangChain rejects it with its own message, so the user is not asked.
      if (!read) return await handler(request)
      const { session, threadId } = await threadOf(request.runtime)
      const named: CallName = { id: callIdOf(request.toolCall.id, tool.name), name: tool.name }
      if (tool.schema) engine.checkEdits(tool.name, tool.schema)
      const ids = { runId: turnOf(request.state.messages), toolCallId: named.id, toolName: tool.name }
      const wake = threadId !== undefined && { wake: wakeOf(threadId) }
      try {
        return outputFrom(await run(tool, session, { ...ids, ...read, ...wake }), named)
      } catch (error) {
        const refused = refusedBy(error)
        if (refused) return refusalOf(refused, named)
        // The model reads the error of a tool. Any other error belongs to the host.
        if (isHoldpointError(error, 'call_mismatch') || isHoldpointError(error, 'tool_failed')) {
          return failureOf(error.message, named)
        }
        throw error
      }
    },
  }) as unknown as AgentMiddleware
}

/** Returns the id of the current turn, which begins with the last message of the user. */
function turnOf(messages: readonly BaseMessage[]): string {
  const turn = turnBefore(messages, messages.length)
  if (turn) return turn
  throw new HoldpointError(
    'run_id_required',
    'holdpointMiddleware names a turn by the id of the last user message, and the state has none. Begin the thread with a user message.',
  )
}

function isNested({ configurable }: Runtime): boolean {
  return String(configurable?.checkpoint_ns ?? '').includes('|')
}

function noThread(): HoldpointError {
  return new HoldpointError(
    'invalid_request',
    'holdpointMiddleware needs a session: invoke the agent with configurable: { thread_id }, or return a sessionId from "owner".',
  )
}
