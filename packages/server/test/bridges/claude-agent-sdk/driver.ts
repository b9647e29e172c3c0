import { query } from '@anthropic-ai/claude-agent-sdk'
import type { BridgeCall, BridgeDriver, CallState, Stop } from '@holdpoint/conformance/bridge'
import { type CallEnd, ClaudeStandIn, type ScriptedCall } from '@holdpoint/conformance/claude-stand-in'
import { claudeAgent } from '@holdpoint/server/claude-agent-sdk'

const OWN_TOOLS =
  'Claude runs its tools in its own process: Holdpoint decides before them, and asks nothing within them'

/** Claude with deferred calls. Its session file is the saved state; the stand-in runs the tools itself. */
export const driver: BridgeDriver = {
  module: import.meta.url,
  sessionId: 'chat-1',
  cannot: {
    fifty_resumes: 'one process carries out an approval and the others are refused: see claude-agent.test.ts',
    repeated: 'the result is in the session file of Claude; an approval that was carried out allows nothing again',
    killed_running: OWN_TOOLS,
    partial: 'Claude defers a call only if it is the only one of its message; several calls wait in the process',
    invalid_edit: 'the rules of a tool are settings of Claude, which it applies to the edited input itself',
    two_questions: OWN_TOOLS,
    secret: OWN_TOOLS,
    connect: OWN_TOOLS,
  },

  open({ holdpoint, tools, userId }) {
    const step = async (calls: readonly BridgeCall[]): Promise<Stop> => {
      const claude = new ClaudeStandIn({
        calls: calls.map(({ toolCallId, toolName, input }) => ({
          id: toolCallId,
          name: toolName,
          input: { ...input },
        })),
        run: ({ name, input }: ScriptedCall) =>
          tools.find((tool) => tool.name === name)?.execute(input as never, {} as never, undefined),
      })
      const hp = claudeAgent(holdpoint, {
        ...{ sessionId: 'chat-1', userId, runId: 'run-1', editable: true },
        defer: tools.map(({ name }) => name),
      })
      const resume = await hp.resumes()
      const spawned = { spawnClaudeCodeProcess: claude.spawn, pathToClaudeCodeExecutable: 'stand-in' }
      const options = { ...hp.options, ...spawned, settingSources: [], ...(resume && { resume }) }
      for await (const message of query({ prompt: 'clean up', options })) await hp.waits(message)
      return {
        saved: calls,
        calls: Object.fromEntries(calls.map(({ toolCallId }) => [toolCallId, stateOf(claude.ends.get(toolCallId))])),
      }
    }
    return {
      begin: step,
      resume: (saved) => step(saved as BridgeCall[]),
      forgeries: (saved) => [{ name: 'a resume without an answer', resume: () => step(saved as BridgeCall[]) }],
      withInput: (saved, toolCallId, input) =>
        (saved as BridgeCall[]).map((call) => (call.toolCallId === toolCallId ? { ...call, input } : call)),
    }
  },
}

function stateOf(end: CallEnd | undefined): CallState {
  if (end === 'deferred') return { state: 'waiting' }
  if (end && 'allowed' in end) return { state: 'done', output: end.output }
  return { state: 'not_done', text: end?.denied ?? '' }
}
