import { isHoldpointError } from '@holdpoint/core'
import { AsyncLocalStorageProviderSingleton } from '@langchain/core/singletons'
import { interrupt } from '@langchain/langgraph'
import type { ToolContext } from '../../engine/api/tool-context.ts'
import type { Session, ToolCallOptions } from '../../engine/session/create-session.ts'
import type { Holdpoint } from '../../holdpoint.ts'
import { engineOf } from '../../http/mounted.ts'
import { untilClaimed } from '../handlers/until-claimed.ts'

type GateOptions = Omit<ToolCallOptions, 'signal'>

/**
 * Asks a question in a node of a graph, and stops the graph with LangGraph's `interrupt` until the question is settled. The
 * answer is read from the store. A resume value has no effect. Use the same ids when the node runs again.
 *
 * @example
 * const approveNode = async (state: State) => {
 *   const call = { runId: state.turn, toolCallId: 'publish', toolName: 'publish' }
 *   await holdpointInterrupt(holdpoint, session, call, (ctx) => ctx.approve({ prompt: 'Publish the report?' }))
 *   return { approved: true }
 * }
 */
export async function holdpointInterrupt<T>(
  holdpoint: Holdpoint,
  session: Session,
  call: GateOptions,
  ask: (ctx: ToolContext) => Promise<T>,
): Promise<T> {
  const { environment } = engineOf(holdpoint)
  for (;;) {
    try {
      return await untilClaimed(environment, () => outsideGraph(() => ask(session.gate(call))))
    } catch (error) {
      if (!isHoldpointError(error, 'interaction_waiting')) throw error
      interruptAt(session, call, error.details.interactionId)
    }
  }
}

/**
 * Runs work of Holdpoint without LangGraph's asynchronous context. A timer that starts within a graph would keep the
 * context. A hook that this timer calls later could then not resume a thread, because LangGraph would treat its run as
 * a part of the first one.
 */
export async function outsideGraph<T>(work: () => Promise<T>): Promise<T> {
  return await AsyncLocalStorageProviderSingleton.getInstance().run(undefined, work)
}

/** Stops the graph. It returns only if a resume value is left, which is no evidence: the caller reads the store again. */
export function interruptAt(session: Session, { toolCallId, toolName }: GateOptions, interactionId: unknown): void {
  interrupt({ holdpoint: { sessionId: session.sessionId, interactionId, toolCallId, toolName } })
}
