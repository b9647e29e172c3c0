import {
  Agent,
  type Model,
  type ModelResponse,
  RunState,
  run,
  setTracingDisabled,
  type Tool,
  tool,
  Usage,
} from '@openai/agents'
import { z } from 'zod'
import { versionOf } from '../../support/report.ts'
import { FILES, PROMPT, type ResumePeer } from './peer.ts'

// There is nobody to send traces to.
setTracingDisabled(true)

/** Calls the tool when it is spoken to, and thanks when the tool has run. */
const model: Model = {
  async getResponse({ input }): Promise<ModelResponse> {
    const ran = Array.isArray(input) && input.at(-1)?.type === 'function_call_result'
    const said = { type: 'message', role: 'assistant', status: 'completed' } as const
    const call = { type: 'function_call', callId: 'call-1', name: 'delete_files', status: 'completed' } as const
    return {
      usage: new Usage(),
      output: ran
        ? [{ ...said, content: [{ type: 'output_text', text: 'Done.' }] }]
        : [{ ...call, arguments: JSON.stringify({ files: FILES }) }],
    }
  },
  // biome-ignore lint/correctness/useYield: nothing here streams.
  async *getStreamedResponse() {
    throw new Error('not used')
  },
}

/** An agent with one tool that needs an approval, and what `wrap` makes of that tool. */
export function cleaner(effect: () => void, wrap = (tools: Tool<unknown>[]) => tools) {
  const deleteFiles = tool({
    name: 'delete_files',
    description: 'Deletes files',
    parameters: z.object({ files: z.array(z.string()) }),
    needsApproval: true,
    execute: async ({ files }) => {
      effect()
      return `${files.length} deleted`
    },
  })
  return new Agent({ name: 'Cleaner', model, tools: wrap([deleteFiles as Tool<unknown>]) })
}

/**
 * "Human in the loop" of the OpenAI Agents SDK: a run ends with interruptions, `state.approve` takes the decision, and
 * running with the state goes on. Kept as an object in the process, or as text, as its documents say for longer waits.
 */
export function openAiAgentsPeer(kept: 'object' | 'text'): ResumePeer {
  return {
    name: '@openai/agents',
    version: versionOf('@openai/agents'),
    store: kept === 'object' ? "the host's RunState" : 'RunState as text, with the host',
    note: 'where a state is kept, and that it is resumed once, is the host’s',
    async ask(effect) {
      const agent = cleaner(effect)
      const first = await run(agent, PROMPT)
      const text = kept === 'text' ? first.state.toString() : ''
      return async () => {
        const state = kept === 'text' ? await RunState.fromString<undefined, typeof agent>(agent, text) : first.state
        for (const interruption of state.getInterruptions()) state.approve(interruption)
        return await run<typeof agent, undefined>(agent, state)
      }
    },
  }
}
