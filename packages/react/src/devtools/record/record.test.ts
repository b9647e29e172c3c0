import { createHoldpointClient, type HoldpointEvent } from '@holdpoint/core'
import { memoryTransport, recordedPeer } from '@holdpoint/core/testing'
import { expect, onTestFinished, test } from 'vitest'
import { approval, form } from '../../testing/interactions.ts'
import { timingsOf } from './latency.ts'
import { recordSession } from './record-session.ts'
import { recordingAsCode } from './recording-as-code.ts'
import { REDACTED, redact, secretFieldsOf } from './redact.ts'
import { stateAfter } from './replay.ts'

const question = approval().request
const { interactionId, toolCallId } = question
const tool = { toolCallId, toolName: question.toolName, runId: 'run-1' }
const log: HoldpointEvent[] = [
  { type: 'run_status', runId: 'run-1', status: 'running' },
  question,
  { type: 'interaction_response', interactionId, toolCallId, action: 'approve', respondedBy: { clientId: 'x' } },
  { type: 'tool_call_update', ...tool, status: 'running' },
  { type: 'tool_call_complete', ...tool, status: 'completed' },
]

const settled = () => new Promise((resolve) => setTimeout(resolve))

async function recorded(options: { limit?: number } = {}) {
  let time = 1_000
  const peer = recordedPeer({ sessionId: 's', now: () => 1_000 })
  const client = createHoldpointClient({ sessionId: 's', transport: memoryTransport(peer) })
  const recorder = recordSession(client, { now: () => time, ...options })
  onTestFinished(() => {
    recorder.stop()
    client.close()
  })
  await settled()
  const emit = async (events: readonly HoldpointEvent[]) => {
    for (const event of events) {
      time += 100
      peer.emit(event)
      await settled()
    }
  }
  return { client, recorder, emit }
}

test('a recording can be replayed to each event, and the last one equals the state of the client', async () => {
  const { client, recorder, emit } = await recorded()
  await emit(log)
  const recording = recorder.getSnapshot()
  const statuses = [0, 1, 2, 3].map((count) => stateAfter(recording, count).interactions.get(interactionId)?.status)
  expect(statuses).toEqual([undefined, undefined, 'pending', 'answered'])
  expect(stateAfter(recording, 4).toolCalls.get(toolCallId)?.status).toBe('running')
  expect(stateAfter(recording, log.length)).toBe(client.getSnapshot())
})

test('a recording measures when a question was asked, shown, answered and resumed', async () => {
  const { recorder, emit } = await recorded()
  await emit(log.slice(0, 2))
  recorder.shown(interactionId)
  recorder.shown(interactionId)
  await emit(log.slice(2))
  expect(timingsOf(recorder.getSnapshot())).toEqual([
    { interactionId, toolName: question.toolName, asked: 1_200, shown: 1_200, answered: 1_300, resumed: 1_400 },
  ])
})

test('a recording keeps the newest events, and replay begins with the state before them', async () => {
  const { client, recorder, emit } = await recorded({ limit: 4 })
  await emit(log)
  const recording = recorder.getSnapshot()
  expect(recording.events.map(({ event }) => event.type)).toEqual(log.slice(2).map(({ type }) => type))
  expect(recording.dropped).toBe(2)
  expect(stateAfter(recording, 0).interactions.get(interactionId)?.status).toBe('pending')
  expect(stateAfter(recording, 1).interactions.get(interactionId)?.status).toBe('answered')
  expect(client.getSnapshot().interactions.get(interactionId)?.status).toBe('answered')
})

test('a recording that is cleared begins with the current state', async () => {
  const { recorder, emit } = await recorded()
  await emit(log.slice(0, 2))
  recorder.clear()
  await emit(log.slice(2))
  const recording = recorder.getSnapshot()
  expect(recording.events).toHaveLength(3)
  expect(stateAfter(recording, 0).interactions.get(interactionId)?.status).toBe('pending')
})

test('a recording marks answers of this page and changes of the connection', async () => {
  const { client, recorder, emit } = await recorded()
  await emit(log.slice(0, 2))
  await client.respond(interactionId, { action: 'deny' })
  client.close()
  const marks = recorder.getSnapshot().marks.map(({ kind, value }) => [kind, value])
  expect(marks).toContainEqual(['sent', interactionId])
  expect(marks).toContainEqual(['connection', 'open'])
  expect(marks.at(-1)).toEqual(['connection', 'closed'])
})

test('a recorder that was stopped records nothing more', async () => {
  const { recorder, emit } = await recorded()
  recorder.stop()
  await emit(log)
  expect(recorder.getSnapshot().events).toEqual([])
})

const secret = form({
  interactionId: 'q2',
  request: { inputSchema: { type: 'form', fields: [{ id: 'plain_name', type: 'secret', label: 'Key' }] } },
}).request

test('an exported fixture runs unchanged, and shows the same session without its secrets', async () => {
  const { recorder, emit } = await recorded()
  const filled = { type: 'tool_call_update', ...tool, toolCallId: 'call-2', input: { plain_name: 'hunter2' } }
  await emit([...log, secret, filled])
  const code = recordingAsCode(recorder.getSnapshot())
  expect(code).not.toContain('hunter2')
  const body = code.replace(/^import.*\n/, '').replace('export const peer =', 'return')
  const peer = new Function('recordedPeer', body)(recordedPeer) as ReturnType<typeof recordedPeer>
  expect(peer.log.map(({ type }) => type)).toEqual([...log, secret, filled].map(({ type }) => type))
})

test.each([
  [{ password: 'x' }],
  [{ apiKey: 'x' }],
  [{ api_key: 'x' }],
  [{ accessToken: 'x' }],
  [{ nested: { list: [{ 'client-secret': 'x' }] } }],
  [{ headers: { Authorization: 'x' } }],
  [{ note: 'Bearer abcdefghijkl' }],
  [{ note: 'see https://a.example/cb?code=abc&x=1' }],
  [{ note: 'key sk-live_abcdefghijklmnop' }],
  [{ note: 'eyJhbGciOiJI.eyJzdWIiOiIx.abc' }],
  [{ cookies: ['x'] }],
])('%j is redacted', (args) => {
  const text = JSON.stringify(redact({ type: 'content', args }))
  expect(text).toContain(REDACTED)
  expect(text).not.toMatch(/"x"|abcdefgh|code=abc|eyJzdWI/)
})

test('ordinary values stay as they are', () => {
  const event = {
    type: 'content',
    args: { max_tokens: 500, files: ['a.txt'], secretary: 'Ada', url: 'https://a.example/?page=2', keyboard: 'de' },
  }
  expect(redact(event)).toEqual(event)
})

test('the fields that a form declares as secret are redacted under any name', () => {
  const secrets = secretFieldsOf([{ event: secret }])
  expect(redact({ type: 'x', input: { plain_name: 'hunter2', other: 'a' } }, secrets)).toEqual({
    type: 'x',
    input: { plain_name: REDACTED, other: 'a' },
  })
})
