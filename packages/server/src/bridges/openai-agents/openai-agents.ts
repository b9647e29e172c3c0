import { type HoldpointErrorCode, isHoldpointError } from '@holdpoint/core'
import { type AgentInputItem, RunState, type RunToolApprovalItem, type Tool } from '@openai/agents'
import { digestOf } from '../../base/canonical-json.ts'
import type { Session } from '../../engine/session/create-session.ts'
import type { Holdpoint } from '../../holdpoint.ts'
import { engineOf } from '../../http/mounted.ts'
import { askAtGate } from '../handlers/ask-at-gate.ts'
import { callIdOf } from '../handlers/asking-tool.ts'
import { asTool, failure } from '../handlers/settle.ts'
import { outputOf, refusedBy, stillWaiting } from '../handlers/tool-not-run.ts'
import { definitionOf } from './agent-tool.ts'
import { Decisions } from './decisions.ts'
import { type AnyFunctionTool, gatedTool, type Invocation, inputOf, mayAsk } from './gated-tool.ts'
import { StoredAgentRun } from './stored-run.ts'

/** An agent with any context and output. */
type AnyAgent = Parameters<typeof RunState.fromString>[0]

/** The run of an agent, and its user. A notice of `onSettled` has these fields too. */
export interface OpenAiAgentsOptions {
  sessionId: string
  userId: string
  tenant?: string
  /** The id of one turn of the agent, which must stay the same when the turn is resumed. */
  runId: string
}

/** The return value of the SDK's `run`. Of a streamed run, await `completed` before you pass it on. */
export interface AgentResult {
  readonly interruptions: readonly RunToolApprovalItem[]
  readonly state: { toString(): string }
}

/** The functions that connect one run of an agent to Holdpoint. */
export interface OpenAiAgents {
  readonly session: Session
  /**
   * Returns the same tools, run by Holdpoint: each call runs once, after its questions are settled. Other kinds of
   * tools are returned unchanged.
   */
  tools(tools: readonly unknown[]): Tool<unknown>[]
  /**
   * Stores the state of the run, encrypted with `security.vaultKeys`, and asks for the approvals that the provider's
   * tools need. Returns true if the run waits for a person, false if it has ended.
   */
  suspended(result: AgentResult): Promise<boolean>
  /**
   * Returns what to pass to `run`: the stored state of this run with its decisions, or the input if the run has not
   * stopped yet. If `input` is omitted and the process died at the first question, it returns the stored input of the
   * run.
   */
  resumeOr<A extends AnyAgent, I extends string | AgentInputItem[] | undefined = undefined>(
    agent: A,
    input?: I,
  ): Promise<RunState<undefined, A> | I>
}

/**
 * Connects one run of an agent of the OpenAI Agents SDK to people. The run ends at an open question. After the answer,
 * any process resumes it, and each tool call runs once.
 *
 * @example
 * export async function turn(owner: OpenAiAgentsOptions, input?: string) {
 *   const hp = openAiAgents(holdpoint, owner)
 *   const agent = new Agent({ name: 'Cleaner', tools: hp.tools([deleteFiles]) })
 *   const from = await hp.resumeOr(agent, input)
 *   if (from === undefined) return
 *   const result = await run(agent, from)
 *   if (!(await hp.suspended(result))) await save(owner.sessionId, result.finalOutput)
 * }
 * // createHoldpoint({ hooks: { onSettled: (notice) => turn(notice) } })
 */
export function openAiAgents(holdpoint: Holdpoint, options: OpenAiAgentsOptions): OpenAiAgents {
  const { sessionId, userId, tenant = '', runId } = options
  const engine = engineOf(holdpoint)
  const session = holdpoint.session(sessionId, { userId, tenant })
  const stored = new StoredAgentRun(engine, { tenant, sessionId, userId, runId })
  const decisions = new Decisions(engine.environment, session, runId)
  const own = new Map<string, AnyFunctionTool>()
  /** The calls whose questions are settled, with the digests of their inputs. */
  const settled = new Map<string, string>()

  async function ask(tool: AnyFunctionTool, input: unknown, toolCallId: string, run: Invocation): Promise<boolean> {
    const digest = digestOf(input)
    // The SDK asks up to three times for each call of a resume, and a settled question does not change.
    if (settled.get(toolCallId) === digest) return false
    const call = { runId, toolCallId, toolName: tool.name, input }
    if (mayAsk(tool)) await stored.keepInput()
    const { settle } = gatedTool(tool, run)
    const waiting = await askAtGate(engine.environment, session, call, (gate) => settle(input, gate))
    if (waiting === undefined) settled.set(toolCallId, digest)
    return waiting !== undefined
  }

  /** Returns true if a question of the call is open. */
  async function needsAnswer(
    tool: AnyFunctionTool,
    given: unknown,
    callId: string,
    runContext: Invocation['runContext'],
  ) {
    try {
      const run = { runContext, details: { toolCall: { callId } } } as unknown as Invocation
      return await ask(tool, await inputOf(tool, given), callId, run)
    } catch (error) {
      // The call itself throws the same error, and `invoke` returns it to the model.
      if (isForModel(error)) return false
      throw error
    }
  }

  /** Runs a call, joins it, or returns its record. Errors that concern the call become text for the model. */
  async function invoke(tool: AnyFunctionTool, text: string, run: Invocation): Promise<unknown> {
    const toolCallId = callIdOf(run.details?.toolCall?.callId, tool.name)
    try {
      const input = await inputOf(tool, JSON.parse(text || '{}'))
      // Asks in any case: a decision in the state may have been written by hand, so only the store counts.
      if (await ask(tool, input, toolCallId, run)) return stillWaiting()
      const ran = await session.runTool(asTool(gatedTool(tool, run), failure), input, { runId, toolCallId })
      return ran.status === 'completed' ? ran.result : stillWaiting()
    } catch (error) {
      const refused = refusedBy(error)
      if (refused) return outputOf(refused)
      if (isForModel(error)) return `${tool.name} was not carried out: ${(error as Error).message}`
      throw error
    }
  }

  function gated(tool: AnyFunctionTool): AnyFunctionTool {
    const schema = definitionOf(tool)?.parameters
    own.set(tool.name, tool)
    if (schema) engine.checkEdits(tool.name, schema)
    return {
      ...tool,
      needsApproval: (runContext, given, callId) =>
        needsAnswer(tool, given, callIdOf(callId, tool.name), runContext as never),
      invoke: (runContext, text, details) => invoke(tool, text, { runContext: runContext as never, details }),
    } as AnyFunctionTool
  }

  const ownTool = ({ rawItem, name = '' }: RunToolApprovalItem) =>
    rawItem.type === 'function_call' ? own.get(name) : undefined

  /**
   * Approves a call in the state once its questions are settled, even by a denial. The SDK cannot restore a state in
   * which a call ran without a decision.
   */
  async function enter(item: RunToolApprovalItem, state: RunState<unknown, AnyAgent>): Promise<void> {
    const tool = ownTool(item)
    if (!tool) return await decisions.enter(item, state)
    const { callId } = item.rawItem as { callId: string }
    if (!(await needsAnswer(tool, JSON.parse(item.arguments ?? '{}'), callId, state._context))) state.approve(item)
  }

  /**
   * Ends questions whose calls the state does not contain. They are from a resume that stopped later, or from a process
   * that did not stop.
   */
  async function endQuestionsWithout(state: string): Promise<void> {
    const { interactions } = await engine.reads.pending({ tenant, sessionId }, runId)
    for (const { interactionId, toolCallId, toolName } of interactions) {
      if (!own.has(toolName) || state.includes(JSON.stringify(toolCallId))) continue
      await holdpoint.cancelInteraction(interactionId, 'overtaken')
    }
  }

  return {
    session,

    tools: (tools) => tools.map((tool) => (isFunctionTool(tool) ? gated(tool) : tool) as Tool<unknown>),

    async suspended({ interruptions, state }) {
      if (interruptions.length === 0) return false
      await endQuestionsWithout(await stored.stop(state.toString()))
      for (const item of interruptions) if (!ownTool(item)) await decisions.ask(item)
      return true
    },

    async resumeOr(agent, input) {
      const kept = await stored.read()
      if (!kept) stored.begin(input)
      if (!kept || 'input' in kept) return (input ?? kept?.input) as never
      const state = await RunState.fromString(agent, kept.state)
      for (const item of state.getInterruptions()) await enter(item, state)
      return state as never
    },
  }
}

const FOR_MODEL: readonly HoldpointErrorCode[] = ['call_mismatch', 'invalid_tool_input', 'tool_failed']

/** The model reads errors that concern its call. Any other error belongs to the host. */
const isForModel = (error: unknown) =>
  error instanceof SyntaxError || FOR_MODEL.some((code) => isHoldpointError(error, code))

const isFunctionTool = (tool: unknown): tool is AnyFunctionTool =>
  typeof tool === 'object' && tool !== null && 'type' in tool && tool.type === 'function' && 'invoke' in tool
