import { type Options, type PermissionResult, query } from '@anthropic-ai/claude-agent-sdk'
import { ClaudeStandIn } from '@holdpoint/conformance/claude-stand-in'
import { claudeAgent } from '@holdpoint/server/claude-agent-sdk'
import { versionOf } from '../../support/report.ts'
import type { Place } from '../../support/stores.ts'
import { bridged } from './bridged.ts'
import { nameOf } from './holdpoint.ts'
import { FILES, PROMPT, type ResumePeer } from './peer.ts'

const NAME = '@anthropic-ai/claude-agent-sdk'
const CALL = { id: 'call-1', name: 'delete_files', input: { files: FILES } }

/** One turn of the SDK, with a stand-in that speaks the control protocol of the command line interface in this process. */
async function turn(options: Options, effect: () => void): Promise<void> {
  const { spawn } = new ClaudeStandIn({ calls: [CALL], run: effect })
  const spawned = { spawnClaudeCodeProcess: spawn, pathToClaudeCodeExecutable: 'stand-in', settingSources: [] }
  for await (const _message of query({ prompt: PROMPT, options: { ...options, ...spawned } }));
}

/** `canUseTool` of the Claude Agent SDK: a promise of the host, in its process. */
export function claudeAgentPeer(): ResumePeer {
  return {
    name: NAME,
    version: versionOf(NAME),
    store: 'a promise of the host',
    note: 'measured with a stand-in of the command line interface',
    async ask(effect) {
      let decide = (_decision: PermissionResult) => {}
      let ran: Promise<void> | undefined
      await new Promise<void>((asked) => {
        const canUseTool: Options['canUseTool'] = (_name, _input, _given) => {
          asked()
          return new Promise((resolve) => {
            decide = resolve
          })
        }
        ran = turn({ canUseTool }, effect)
      })
      return async () => {
        decide({ behavior: 'allow', updatedInput: CALL.input })
        await ran
      }
    },
  }
}

/** The same turn with Holdpoint, which waits in the process too. */
export function holdpointClaudeAgentPeer(place: Place): ResumePeer {
  const { holdpoint, expecting, commits, close } = bridged(place)
  return {
    name: `Holdpoint with ${NAME} ${versionOf(NAME)}`,
    bridges: NAME,
    store: nameOf(place),
    commits,
    async ask(effect) {
      const id = crypto.randomUUID()
      let ran: Promise<void> | undefined
      const answer = await expecting(id, () => {
        ran = turn(claudeAgent(holdpoint, { sessionId: id, userId: 'ada', runId: id }).options, effect)
      })
      return async (tab) => {
        const counts = await answer(tab)
        await ran
        counts()
      }
    },
    close,
  }
}
