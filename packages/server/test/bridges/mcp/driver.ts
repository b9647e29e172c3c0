import type { BridgeCall, BridgeDriver, BridgedAgent, CallState, Claim, Stop } from '@holdpoint/conformance/bridge'
import type { Client } from '@modelcontextprotocol/client'
import { BOTH_MODES, bridge, connected, toolsOf } from './support.ts'

/** One call, as a client keeps it between its rounds. */
interface Round {
  call: BridgeCall
  requestState?: string
  key?: string
}

/** MCP 2026-07-28: a client that carries the state of each call and sends the request again. */
export const driver: BridgeDriver = {
  module: import.meta.url,
  sessionId: 'mcp:ada',
  async open({ holdpoint, tools, userId }) {
    const { client, close } = await connected(bridge(holdpoint, toolsOf(tools)), userId, BOTH_MODES)
    const resume: BridgedAgent['resume'] = async (saved, claim) =>
      joined(await Promise.all((saved as Round[]).map((round) => send(client, round, claim))))
    return {
      resume,
      close,
      begin: async (calls) => joined(await Promise.all(calls.map((call) => send(client, { call })))),
      withInput: (saved, toolCallId, input) =>
        (saved as Round[]).map((round) =>
          round.call.toolCallId === toolCallId ? { ...round, call: { ...round.call, input } } : round,
        ),
      forgeries(saved) {
        const [round] = saved as [Round]
        const altered = (state: string) => resume([{ ...round, requestState: state }], 'approve')
        const { requestState = '' } = round
        const [keyId = '', iv = '', data = ''] = requestState.split('.')
        return [
          { name: 'an empty state', resume: () => altered('') },
          { name: 'a state in plain text', resume: () => altered(JSON.stringify({ call: 'call', args: 'args' })) },
          { name: 'a state with a flipped bit', resume: () => altered([keyId, iv, flipped(data)].join('.')) },
          { name: 'a shortened state', resume: () => altered(requestState.slice(0, -4)) },
          {
            name: 'a state of another key',
            resume: () => altered([Buffer.from('k2').toString('base64url'), iv, data].join('.')),
          },
          {
            name: 'the state of another tool',
            resume: () => resume([{ ...round, call: { ...round.call, toolName: 'archive_files' } }], 'approve'),
          },
          { name: 'an answer under another key', resume: () => resume([{ ...round, key: 'q-other' }], 'approve') },
        ]
      },
    }
  },
}

async function send(client: Client, { call, requestState, key }: Round, claim?: Claim): Promise<[Round, CallState]> {
  const decision = claim === 'approve' ? 'once' : 'deny'
  const answered = claim && key !== undefined
  const result = (await client.callTool(
    {
      name: call.toolName,
      arguments: { ...call.input },
      ...(requestState !== undefined && { requestState }),
      ...(answered && { inputResponses: { [key]: { action: 'accept', content: { decision } } } }),
    } as Parameters<Client['callTool']>[0],
    { allowInputRequired: true },
  )) as unknown as {
    resultType?: string
    requestState?: string
    inputRequests?: Record<string, unknown>
    isError?: boolean
    content?: { text: string }[]
  }
  if (result.resultType === 'input_required') {
    const next = { call, requestState: result.requestState!, key: Object.keys(result.inputRequests ?? {})[0]! }
    return [next, { state: 'waiting' }]
  }
  const text = result.content?.[0]?.text ?? ''
  const state: CallState = result.isError ? { state: 'not_done', text } : { state: 'done', output: JSON.parse(text) }
  return [{ call, ...(requestState !== undefined && { requestState }), ...(key !== undefined && { key }) }, state]
}

function joined(rounds: [Round, CallState][]): Stop {
  return {
    saved: rounds.map(([round]) => round),
    calls: Object.fromEntries(rounds.map(([{ call }, state]) => [call.toolCallId, state])),
  }
}

const flipped = (text: string) => `${text[0] === 'A' ? 'B' : 'A'}${text.slice(1)}`
