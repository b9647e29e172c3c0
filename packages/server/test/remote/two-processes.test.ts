import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { until } from '../engine/support/nodes.ts'
import { THOUGHT, THOUGHTS } from './support/agent-script.ts'
import { allFrames, type Frame, framesOf, pageAt } from './support/browser.ts'
import { startProcess } from './support/processes.ts'

const ORIGIN = 'https://app.example.com'
const PASSWORD = 'a-password-of-the-agent'

type Listening = { type: 'listening'; port: number }
type State = {
  type: 'state'
  bytes: number
  messages: { role: string; text: string }[]
  toolUses: { type: string; toolName: string; input: unknown; output: unknown }[]
}

/** A back end and a remote agent, each in a process of its own; this one is the browser. */
async function world() {
  const folder = mkdtempSync(join(tmpdir(), 'holdpoint-remote-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const startAgent = async (port = 0) => {
    const agent = await startProcess<Listening>('./agent.child.ts', {
      ...{ path: join(folder, 'agent.db'), port, origin: ORIGIN, password: PASSWORD },
    })
    return { ...agent, port: (await agent.hear('listening')).port }
  }
  const agent = await startAgent()
  const startBackend = async (port = 0) => {
    const backend = await startProcess<Listening | State>('./backend.child.ts', {
      path: join(folder, 'backend.db'),
      agentUrl: `http://127.0.0.1:${agent.port}`,
      password: PASSWORD,
      origin: ORIGIN,
      port,
    })
    return { ...backend, port: (await backend.hear('listening')).port }
  }
  const backend = await startBackend()
  const page = pageAt(ORIGIN)
  const start = async (message: string, user = 'ada') => {
    const response = await fetch(`http://127.0.0.1:${backend.port}/agent`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: ORIGIN, 'x-user': user },
      body: JSON.stringify({ sessionId: 'task-42', message }),
    })
    return { status: response.status, body: (await response.json()) as { streamToken: string; streamUrl: string } }
  }
  const open = async (prompt: string) => {
    const { body } = await start(prompt)
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${body.streamToken}` }
    const stream = (said: object, signal?: AbortSignal) =>
      page(body.streamUrl, { method: 'POST', headers, body: JSON.stringify(said), ...(signal && { signal }) })
    const resume = (cursor: string) => page(body.streamUrl, { headers: { ...headers, 'last-event-id': cursor } })
    return { ...body, stream, resume }
  }
  const stateOf = async (process = backend) => {
    process.say({ sessionId: 'task-42' })
    return await process.hear('state')
  }
  /** The messages of a run come each on its own, in any order. */
  const reported = (process = backend) =>
    until(
      async () => {
        const { messages, toolUses } = await stateOf(process)
        return messages.length === 2 && toolUses[0]?.input !== undefined && toolUses[0].output !== undefined
      },
      'the report',
      30_000,
    )
  return { agent, backend, startAgent, startBackend, start, open, stateOf, reported, page }
}

const textOf = (frames: readonly Frame[]) =>
  frames.map(({ part }) => (part.type === 'text-delta' ? part.text : '')).join('')

test('a stream goes directly from the agent to the page, and the back end receives none of its bytes', async () => {
  const { agent, open, stateOf, reported } = await world()
  const { stream } = await open('find it')
  const frames: Frame[] = []
  for await (const frame of framesOf(await stream({ prompt: 'find it' }))) {
    frames.push(frame)
    if (frame.part.type === 'text-delta' && textOf(frames) === 'You said: ') {
      // The first token is here while the agent still waits: nothing gathered it on the way.
      expect((await stateOf()).messages.map(({ role }) => role)).toEqual(['user'])
      agent.say({ goOn: true })
    }
  }
  expect(textOf(frames)).toBe('You said: find it')
  expect(frames.filter(({ part }) => part.type === 'reasoning-delta')).toHaveLength(THOUGHTS)
  expect(frames.at(-1)?.part).toMatchObject({ type: 'finish' })

  await reported()
  const { bytes, messages, toolUses } = await stateOf()
  expect(messages).toMatchObject([
    { role: 'user', text: 'find it' },
    { role: 'assistant', text: 'You said: find it' },
  ])
  expect(toolUses).toMatchObject([
    { type: 'TOOL_USE', toolName: 'search', input: { q: 'find it' }, output: { hits: 2 } },
  ])
  // The streamed bytes are two million; the back end passes only requests, tokens and the report.
  expect(THOUGHTS * THOUGHT.length).toBe(2_000_000)
  expect(bytes).toBeLessThan(50_000)
}, 60_000)

test('a page that reconnects continues from its cursor and receives every part once, in order', async () => {
  const { agent, open } = await world()
  const { stream, resume } = await open('again')
  const leaving = new AbortController()
  const first: Frame[] = []
  const reading = (async () => {
    for await (const frame of framesOf(await stream({ prompt: 'again' }, leaving.signal))) {
      first.push(frame)
      if (textOf(first) === 'You said: ') return
    }
  })()
  await reading
  leaving.abort()
  agent.say({ goOn: true })
  const rest = await allFrames(await resume(first.at(-1)?.cursor ?? ''))
  const all = [...first, ...rest]
  expect(textOf(all)).toBe('You said: again')
  expect(new Set(all.map(({ cursor }) => cursor)).size).toBe(all.length)
  expect(all.filter(({ part }) => part.type === 'reasoning-delta').map(({ part }) => part.n)).toEqual(
    Array.from({ length: THOUGHTS }, (_, n) => n),
  )
  // From the end there is nothing more, and from the beginning there is all of it.
  expect(await allFrames(await resume(rest.at(-1)?.cursor ?? ''))).toEqual([])
  expect(await allFrames(await resume(first[0]?.cursor ?? ''))).toHaveLength(all.length - 1)
}, 60_000)

test('a page learns that the agent was killed with kill -9, and a new prompt works', async () => {
  const { agent, open, startAgent } = await world()
  const { stream, resume } = await open('first')
  const frames: Frame[] = []
  const broken = (async () => {
    for await (const frame of framesOf(await stream({ prompt: 'first' }))) {
      frames.push(frame)
      if (textOf(frames) === 'You said: ') await agent.kill()
    }
  })()
  await expect(broken).rejects.toThrow()
  const again = await startAgent(agent.port)
  const resumed = await allFrames(await resume(frames.at(-1)?.cursor ?? ''))
  expect(resumed.at(-1)?.part).toMatchObject({ type: 'error', errorText: expect.stringContaining('interrupted') })
  again.say({ goOn: true })
  expect(textOf(await allFrames(await stream({ prompt: 'second' })))).toBe('You said: second')
  // The place belongs to the run that died: what the next one says is not its end.
  const late = await allFrames(await resume(frames.at(-1)?.cursor ?? ''))
  expect(textOf(late)).toBe('')
  expect(late.at(-1)?.part).toMatchObject({ type: 'error', errorText: expect.stringContaining('interrupted') })
}, 60_000)

test('a report that the back end missed while it was down arrives after its restart', async () => {
  const { agent, backend, open, startBackend, stateOf, reported } = await world()
  const { stream } = await open('late')
  await backend.kill()
  agent.say({ goOn: true })
  expect(textOf(await allFrames(await stream({ prompt: 'late' })))).toBe('You said: late')
  const again = await startBackend(backend.port)
  await reported(again)
  expect((await stateOf(again)).messages.map(({ text }) => text)).toEqual(['late', 'You said: late'])
}, 60_000)

test('a page of another origin is blocked before anything runs', async () => {
  const { open, start } = await world()
  const { streamUrl, streamToken } = await open('hello')
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${streamToken}` }
  const init = { method: 'POST', headers, body: JSON.stringify({ prompt: 'hello' }) }
  await expect(pageAt('https://evil.example')(streamUrl, init)).rejects.toThrow('blocked by CORS')
  const ignoring = await fetch(streamUrl, { ...init, headers: { ...headers, origin: 'https://evil.example' } })
  expect(ignoring.status).toBe(403)
  expect(ignoring.headers.get('access-control-allow-origin')).toBeNull()
  // A refusal can be read by the page that it is for.
  const wrong = await pageAt(ORIGIN)(streamUrl, { ...init, headers: { ...headers, authorization: 'Bearer wrong' } })
  expect(wrong.status).toBe(401)
  expect(((await wrong.json()) as { error: { code: string } }).error.code).toBe('stream_token_invalid')
  expect((await start('hello', 'eve')).status).toBe(404)
}, 60_000)
