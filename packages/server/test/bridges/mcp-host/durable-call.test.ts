import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { durableCall } from '@holdpoint/server/mcp-host'
import { memoryStore } from '@holdpoint/server/memory'
import { sqliteStore } from '@holdpoint/server/sqlite'
import { testHuman } from '@holdpoint/server/testing'
import { describe, expect, onTestFinished, test } from 'vitest'
import { ADA, open } from '../../engine/support/world.ts'
import { clientOf, filesServer, listening } from './files-server.ts'
import { CALL, mover } from './mover.ts'

const CHILD = fileURLToPath(new URL('./durable-call.child.ts', import.meta.url))
const FILES = { name: 'move_files', arguments: { files: ['a.txt'] } }
const SERVER = { server: { name: 'Files' }, onOpenPage: () => {} }
const ANSWERS = { page: { action: 'accept' } }

async function inProcess(hold?: () => Promise<void>) {
  const server = filesServer(hold)
  const fetch = (input: string | URL | Request, init?: RequestInit) => server.handler.fetch(new Request(input, init))
  const client = await clientOf('https://files.example.com/mcp', fetch)
  onTestFinished(() => client.close())
  const holdpoint = open()
  return { ...server, client, holdpoint, human: testHuman(holdpoint, ADA), session: holdpoint.session('chat', ADA) }
}

describe('a durable call', () => {
  test('asks for each round, and sends the answers with the state of the server', async () => {
    const { client, human, received, moved } = await inProcess()
    const { move, opened, holdpoint } = mover(memoryStore(), client)
    onTestFinished(() => holdpoint.close())
    const ada = testHuman(holdpoint, ADA)
    const moving = move()
    await ada.fill(await ada.next(), { folder: 'old' })
    const page = await ada.next({ kind: 'approval' })
    expect(page.request).toMatchObject({
      requester: { name: 'Files' },
      labels: { approve: 'Continue to files.example.com' },
    })
    await ada.approve(page)
    expect(await moving).toMatchObject({ status: 'completed', result: '[{"type":"text","text":"1 moved"}]' })
    expect([moved, opened]).toEqual([[['a.txt']], ['https://files.example.com/login']])
    expect(received).toMatchObject([
      { state: undefined },
      { state: 'first', answers: { folder: { action: 'accept', content: { folder: 'old' } } } },
      { state: 'second', answers: ANSWERS },
    ])
    expect(await human.waiting()).toEqual([])
  })

  test('at a gate ends at each question, and each repetition continues with the next step', async () => {
    const { client, human, session, received, moved } = await inProcess()
    const gate = () => durableCall(session.gate({ ...CALL, toolName: 'move_files' }), client, FILES, SERVER)
    await expect(gate()).rejects.toMatchObject({ code: 'interaction_waiting' })
    await expect(gate()).rejects.toMatchObject({ code: 'interaction_waiting' })
    await human.fill(await human.next(), { folder: 'old' })
    await expect(gate()).rejects.toMatchObject({ code: 'interaction_waiting' })
    await human.approve(await human.next({ kind: 'approval' }))
    expect(await gate()).toMatchObject({ content: [{ text: '1 moved' }] })
    expect(await gate()).toMatchObject({ content: [{ text: '1 moved' }] })
    expect([received.length, moved]).toEqual([3, [['a.txt']]])
  })

  test('with other arguments under the same ids is rejected, and reaches the server only under another key', async () => {
    const { client, human, session, received } = await inProcess()
    const other = { ...FILES, arguments: { files: ['everything'] } }
    const gate = (call: typeof FILES, key?: string) => {
      const options = { ...SERVER, ...(key !== undefined && { key }) }
      return durableCall(session.gate({ ...CALL, toolName: 'move_files' }), client, call, options)
    }
    await expect(gate(FILES)).rejects.toMatchObject({ code: 'interaction_waiting' })
    await human.fill(await human.next(), { folder: 'old' })
    await expect(gate(other)).rejects.toMatchObject({ code: 'call_mismatch' })
    expect(received.map(({ files }) => files)).toEqual([['a.txt']])
    await expect(gate(other, 'second')).rejects.toMatchObject({ code: 'interaction_waiting' })
    expect(received.at(-1)).toMatchObject({ files: ['everything'] })
  })

  test('sends a declined answer to the server, and fails if the server asks more often than `rounds`', async () => {
    const { client, human, session, received } = await inProcess()
    const calling = durableCall(session.toolCall({ ...CALL, toolName: 'move_files' }), client, FILES, {
      ...SERVER,
      rounds: 2,
    })
    await human.decline(await human.next())
    await human.deny(await human.next({ kind: 'approval' }))
    await expect(calling).rejects.toMatchObject({ code: 'tool_failed', message: expect.stringContaining('2 times') })
    expect(received.at(-1)?.answers).toEqual({ folder: { action: 'decline' } })
  })

  test('fails with the reason if the server requests anything other than an elicitation', async () => {
    const { session } = await inProcess()
    const sampling = { resultType: 'input_required', inputRequests: { s: { method: 'sampling/createMessage' } } }
    const ctx = session.toolCall({ ...CALL, toolName: 'move_files' })
    const calling = durableCall(ctx, { callTool: async () => sampling }, FILES, SERVER)
    await expect(calling).rejects.toMatchObject({ message: expect.stringContaining('"sampling/createMessage"') })
  })
})

describe('a durable call whose process is killed with kill -9', () => {
  /** An app in a process of its own, which the test kills. */
  async function world() {
    let reached = () => {}
    const holding = new Promise<void>((resolve) => (reached = resolve))
    let held = false
    const server = filesServer(async () => {
      if (held) return
      held = true
      reached()
      await new Promise(() => {})
    })
    const url = await listening(server.handler)
    const folder = mkdtempSync(join(tmpdir(), 'holdpoint-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    const path = join(folder, 'data.db')
    const flags = ['--conditions=holdpoint-source', '--disable-warning=ExperimentalWarning']
    const child = spawn(process.execPath, [...flags, CHILD, JSON.stringify({ path, url })], {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    })
    onTestFinished(() => void child.kill('SIGKILL'))
    const exited = once(child, 'exit')
    expect((await once(child, 'message'))[0]).toEqual({ asked: true })
    return {
      ...server,
      holding,
      /** A round that was held before does not hold again. */
      release: () => (held = true),
      async kill() {
        child.kill('SIGKILL')
        await exited
      },
      async survivor() {
        const client = await clientOf(url)
        onTestFinished(() => client.close())
        const app = mover(sqliteStore({ path }), client)
        onTestFinished(() => app.holdpoint.close())
        return { ...app, human: testHuman(app.holdpoint, { ...ADA, nextTimeoutMs: 10_000 }) }
      },
    }
  }

  test('while the user reads continues elsewhere: no round is sent twice', { timeout: 60_000 }, async () => {
    const { kill, survivor, received, moved, release } = await world()
    release()
    await kill()
    const { human, move } = await survivor()
    await human.fill(await human.next(), { folder: 'old' })
    const moving = move()
    await human.approve(await human.next({ kind: 'approval' }))
    expect(await moving).toMatchObject({ status: 'completed' })
    expect([received.map(({ state }) => state), moved]).toEqual([[undefined, 'first', 'second'], [['a.txt']]])
  })

  test('while the server works sends that round again with the same key, and asks nothing again', {
    timeout: 60_000,
  }, async () => {
    const { kill, survivor, received, moved, holding } = await world()
    const { human, move } = await survivor()
    await human.fill(await human.next(), { folder: 'old' })
    await human.approve(await human.next({ kind: 'approval' }))
    await holding
    await kill()
    expect(await move()).toMatchObject({ status: 'completed' })
    expect(received.map(({ state }) => state)).toEqual([undefined, 'first', 'second', 'second'])
    expect(received[3]).toEqual(received[2])
    expect(received[3]?.idempotencyKey).toEqual(expect.any(String))
    expect([moved, await human.waiting()]).toEqual([[['a.txt']], []])
  })
})
