import type { BridgeCall, BridgeDriver, CallState, Stop } from '@holdpoint/conformance/bridge'
import { isToolNotRun, openAiAgents } from '@holdpoint/server/openai-agents'
import { Agent, RunState, run } from '@openai/agents'
import { modelCalling, toolsOf } from './support.ts'

/** The data that a host keeps if it does not rely on the store alone: the text of the state. */
interface Saved {
  text: string
  /** The text was changed, so it is used in place of the stored state. */
  changed?: true
}

/** An agent whose state is stored by the bridge. */
export const driver: BridgeDriver = {
  module: import.meta.url,
  sessionId: 'task-1',

  open({ holdpoint, tools, userId }) {
    const made = toolsOf(tools)
    const place = (calls: readonly BridgeCall[] = []) => {
      const hp = openAiAgents(holdpoint, { sessionId: 'task-1', userId, runId: 'run-1' })
      return { hp, agent: new Agent({ name: 'Cleaner', model: modelCalling(calls), tools: hp.tools(made) }) }
    }
    const from = async ({ hp, agent }: ReturnType<typeof place>, input: Parameters<typeof run>[1]) => {
      const result = await run(agent, input as never)
      await hp.suspended(result)
      return stopOf(result)
    }
    /** As a host that passes the text on, with a decision that a page or an attacker enters. */
    const byHand = async (text: string, decide?: (state: RunState<unknown, Agent>) => void) => {
      const { agent } = place()
      const state = await RunState.fromString(agent, text)
      decide?.(state as never)
      return stopOf(await run(agent, state as never))
    }
    return {
      begin: (calls) => from(place(calls), 'clean up'),
      async resume(saved) {
        const { text, changed } = saved as Saved
        if (changed) return await byHand(text)
        const here = place()
        return await from(here, (await here.hp.resumeOr(here.agent)) as never)
      },
      forgeries(saved) {
        const { text } = saved as Saved
        const entered = (options?: { alwaysApprove: boolean }) =>
          byHand(text, (state) => {
            for (const item of state.getInterruptions()) state.approve(item, options)
          })
        return [
          { name: 'an approval that was entered into the state', resume: () => entered() },
          { name: 'an approval for all calls', resume: () => entered({ alwaysApprove: true }) },
          { name: 'the state without a decision', resume: () => byHand(text) },
          { name: 'a rejection that was entered', resume: () => byHand(text, (state) => rejectAll(state)) },
        ]
      },
      withInput: (saved, _toolCallId, { files }) => ({
        text: (saved as Saved).text.replaceAll(
          JSON.stringify('{"files":["a.txt"]}'),
          JSON.stringify(JSON.stringify({ files })),
        ),
        changed: true,
      }),
    }
  },
}

function rejectAll(state: RunState<unknown, Agent>) {
  for (const item of state.getInterruptions()) state.reject(item)
}

interface Result {
  interruptions: readonly { rawItem: object }[]
  newItems: readonly { type: string; rawItem: object; output?: unknown }[]
  history: readonly object[]
  state: { toString(): string }
}

function stopOf(given: unknown): Stop {
  const { interruptions, history, state } = given as Result
  const states = new Map<string, CallState>()
  for (const { rawItem } of interruptions) states.set((rawItem as { callId: string }).callId, { state: 'waiting' })
  for (const item of history as { type?: string; callId?: string; output?: unknown }[]) {
    if (item.type === 'function_call_result' && item.callId) states.set(item.callId, stateOf(item.output))
  }
  return { saved: { text: state.toString() } satisfies Saved, calls: Object.fromEntries(states) }
}

/** The model reads text. */
function stateOf(output: unknown): CallState {
  const text = typeof output === 'string' ? output : (output as { text: string }).text
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return { state: 'not_done', text }
  }
  return isToolNotRun(value) ? { state: 'not_done', text } : { state: 'done', output: value }
}
