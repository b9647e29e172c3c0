import { randomUUID } from 'node:crypto'
import type { BridgeCall, BridgeDriver, CallState, Claim, Stop } from '@holdpoint/conformance/bridge'
import { postgresUrl } from '@holdpoint/conformance/services'
import { Command } from '@langchain/langgraph'
import { PostgresSaver } from '@langchain/langgraph-checkpoint-postgres'
import { type AIMessage, HumanMessage, ToolMessage } from 'langchain'
import { agentOf, modelCalling, THREAD, toolsOf } from './agent.ts'
import { payloadOf, type Result, stateOf } from './driver.ts'

/** The schema of the checkpoints. The suite sets it, so that the processes that it starts open the same one. */
export const SCHEMA = 'HOLDPOINT_TEST_CHECKPOINTS'

/** The address of a checkpoint. The host keeps nothing else: the checkpoint itself is in Postgres. */
interface Saved {
  thread_id: string
  checkpoint_id: string
  interrupts: string[]
}

/** `createAgent` with the middleware and LangGraph's checkpointer for Postgres. */
export const driver: BridgeDriver = {
  module: import.meta.url,
  sessionId: THREAD,

  async open({ holdpoint, tools, userId }) {
    const url = await postgresUrl()
    const saver = PostgresSaver.fromConnString('value' in url ? url.value : '', { schema: process.env[SCHEMA]! })
    await saver.setup()
    const made = toolsOf(tools)
    const agentWith = (calls: readonly BridgeCall[] = []) =>
      agentOf(holdpoint, { tools: made, userId, saver, model: modelCalling(calls) })

    const run = async (at: Omit<Saved, 'interrupts'>, input: unknown, calls?: readonly BridgeCall[]): Promise<Stop> => {
      const agent = agentWith(calls)
      const result = await agent.invoke(input as never, { configurable: { ...at } })
      return stopOf(result as unknown as Result, at.thread_id, async () => {
        const { config } = await agent.graph.getState({ configurable: { thread_id: at.thread_id } })
        return String(config.configurable?.checkpoint_id)
      })
    }
    const addressOf = ({ thread_id, checkpoint_id }: Saved) => ({ thread_id, checkpoint_id })
    const resume = (saved: unknown, payload: unknown) =>
      run(
        addressOf(saved as Saved),
        new Command({ resume: Object.fromEntries((saved as Saved).interrupts.map((id) => [id, payload])) }),
      )

    /** The thread with another input of the call, as an attacker with access to the database could write it. */
    const resumeWith = async (saved: Saved, toolCallId: string, files: string[]) => {
      const { graph } = agentWith()
      const at = { configurable: addressOf(saved) }
      const { messages } = (await graph.getState(at)).values as { messages: AIMessage[] }
      const message = messages.find(({ tool_calls = [] }) => tool_calls.some(({ id }) => id === toolCallId))!
      for (const call of message.tool_calls ?? []) if (call.id === toolCallId) call.args = { files }
      const { configurable } = await graph.updateState(at, { messages: [message] } as never, 'model_request')
      return await run(configurable as Saved, null)
    }

    return {
      close: () => saver.end(),
      begin: (calls) => {
        const input = { messages: [new HumanMessage({ id: 'turn-1', content: 'clean up' })] }
        return run({ thread_id: randomUUID() } as Saved, input, calls)
      },
      resume(saved, claim: Claim = 'approve') {
        const { changed } = saved as { changed?: { toolCallId: string; files: string[] } }
        if (changed) return resumeWith(saved as Saved, changed.toolCallId, changed.files)
        return resume(saved, payloadOf(claim))
      },
      forgeries: (saved) => [
        { name: 'a resume payload that claims an approval', resume: () => resume(saved, payloadOf('approve')) },
        { name: 'a bare resume value', resume: () => run(addressOf(saved as Saved), new Command({ resume: true })) },
        { name: 'a resume without a value', resume: () => run(addressOf(saved as Saved), null) },
      ],
      withInput: (saved, toolCallId, { files }) => ({ ...(saved as Saved), changed: { toolCallId, files } }),
      newMessage: (saved) =>
        run({ thread_id: (saved as Saved).thread_id } as Saved, {
          messages: [new HumanMessage({ id: 'turn-2', content: 'something else' })],
        }),
    }
  },
}

async function stopOf(
  { messages, __interrupt__: interrupts = [] }: Result,
  thread_id: string,
  checkpoint: () => Promise<string>,
): Promise<Stop> {
  const states = new Map<string, CallState>()
  for (const { value } of interrupts) states.set(value.holdpoint.toolCallId, { state: 'waiting' })
  for (const one of messages) if (ToolMessage.isInstance(one)) states.set(one.tool_call_id, stateOf(one))
  const saved: Saved = { thread_id, checkpoint_id: await checkpoint(), interrupts: interrupts.map(({ id }) => id) }
  return { saved, calls: Object.fromEntries(states) }
}
