import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createHoldpointClient, sse } from '@holdpoint/core'
import { createHoldpoint } from '@holdpoint/server'
import { memoryStore } from '@holdpoint/server/memory'
import { toNodeHandler } from '@holdpoint/server/node'
import { expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { engineOf } from '../../src/http/mounted.ts'
import { until } from '../engine/support/nodes.ts'
import { ADA, person } from '../engine/support/world.ts'

const LINES = 10_000

/** A store that takes its time to write, and says how much it was given at once. */
function slowStore(ms: number) {
  const store = memoryStore()
  let largest = 0
  return {
    largest: () => largest,
    store: {
      ...store,
      async commit(item: Parameters<typeof store.commit>[0]) {
        largest = Math.max(largest, ...(item.events ?? []).map((event) => Buffer.byteLength(event)))
        await new Promise((resolve) => setTimeout(resolve, ms))
        return await store.commit(item)
      },
    },
  }
}

function world(store = memoryStore()) {
  const holdpoint = createHoldpoint({ store, authenticate: () => ADA })
  onTestFinished(() => holdpoint.close())
  const written = async () =>
    (await person(holdpoint).events()).flatMap(({ type, logs }) =>
      type === 'tool_call_update' ? ((logs ?? []) as string[]) : [],
    )
  return { holdpoint, written, session: holdpoint.session('chat', ADA) }
}
const CALL = { runId: 'run-1', toolCallId: 'call-1' }

test(`${LINES} log lines of one tool reach the client in order, and backpressure limits the tool`, async () => {
  const slow = slowStore(1)
  const { holdpoint, session } = world(slow.store)
  const server = createServer(toNodeHandler(holdpoint))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve()).closeAllConnections()))
  await session.emit({ type: 'content', text: 'hello' })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const client = createHoldpointClient({ sessionId: 'chat', transport: sse({ url }) })
  onTestFinished(() => client.close())
  client.subscribe(() => {})

  let ahead = 0
  let stored = 0
  const counting = engineOf(holdpoint).store.subscribe(() => {})
  onTestFinished(counting)
  const tool = holdpoint.tool({
    name: 'build',
    input: z.object({}),
    execute: async (_input, ctx) => {
      for (let n = 0; n < LINES; n++) {
        await ctx.log(`line ${n}`)
        if (n % 500 === 499) {
          stored = (await person(holdpoint).events()).reduce((sum, { logs }) => sum + ((logs as [])?.length ?? 0), 0)
          ahead = Math.max(ahead, n + 1 - stored)
        }
      }
    },
  })
  await session.runTool(tool, {}, CALL)
  const call = () => client.getSnapshot().toolCalls.get('call-1')
  await until(() => call()?.status === 'completed', 'the end at the client', 15_000)
  expect(call()?.logs).toEqual(Array.from({ length: LINES }, (_, n) => `line ${n}`))
  // A few batches: what is not stored yet is all that is held of it.
  expect(ahead).toBeLessThanOrEqual(700)
  expect(slow.largest()).toBeLessThan(300 * 1024)
})

test('the last line is written before the call is complete, and updates keep their position among lines', async () => {
  const { holdpoint, session } = world(slowStore(2).store)
  const tool = holdpoint.tool({
    name: 'build',
    input: z.object({}),
    execute: async (_input, ctx) => {
      void ctx.log('one')
      void ctx.update({ status: 'running', output: { done: 1 } })
      void ctx.log('two')
      return 'built'
    },
  })
  await session.runTool(tool, {}, CALL)
  const events = (await person(holdpoint).events()).filter(({ type }) => type.startsWith('tool_call'))
  expect(events.map(({ type, logs, output }) => [type, logs ?? output])).toEqual([
    ['tool_call_start', undefined],
    ['tool_call_update', ['one']],
    ['tool_call_update', { done: 1 }],
    ['tool_call_update', ['two']],
    ['tool_call_complete', 'built'],
  ])
})

test('a tool that does not await its log lines is limited, and the number of skipped lines is reported at their position', async () => {
  const { holdpoint, session, written } = world()
  const tool = holdpoint.tool({
    name: 'noisy',
    input: z.object({}),
    execute: (_input, ctx) => {
      for (let n = 0; n < 25_000; n++) void ctx.log(`line ${n}`)
    },
  })
  await session.runTool(tool, {}, CALL)
  const lines = await written()
  expect(lines).toHaveLength(20_001)
  expect(lines.slice(0, 20_000)).toEqual(Array.from({ length: 20_000 }, (_, n) => `line ${n}`))
  expect(lines.at(-1)).toContain('5000 lines were left out')
})

test('long lines are shortened, and many of them still fit into events', async () => {
  const slow = slowStore(0)
  const { holdpoint, session, written } = world(slow.store)
  const tool = holdpoint.tool({
    name: 'wide',
    input: z.object({}),
    execute: async (_input, ctx) => {
      for (let n = 0; n < 300; n++) await ctx.log('\u0001'.repeat(10_000))
    },
  })
  await session.runTool(tool, {}, CALL)
  const lines = await written()
  expect(lines).toHaveLength(300)
  expect(new Set(lines.map(({ length }) => length))).toEqual(new Set([8_193]))
  expect(slow.largest()).toBeLessThan(1024 * 1024)
})

test('logs and updates of a bare call before its first question reach the page', async () => {
  const { holdpoint, written, session } = world()
  const server = createServer(toNodeHandler(holdpoint))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve()).closeAllConnections()))
  const context = session.toolCall({ ...CALL, toolName: 'delete_files' })
  await context.update({ status: 'first' })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const client = createHoldpointClient({ sessionId: 'chat', transport: sse({ url }) })
  onTestFinished(() => client.close())
  client.subscribe(() => {})
  const call = () => client.getSnapshot().toolCalls.get('call-1')
  // The stream is open once an update has come through it.
  for (let count = 0; !call(); count++) {
    await context.update({ status: `open ${count}` })
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  for (let line = 0; line < 5_000; line++) await context.log(`line ${line}`)
  await context.update({ status: 'halfway', output: 7 })
  expect(await written()).toHaveLength(5_000)
  await until(() => call()?.status === 'halfway')
  expect(call()).toMatchObject({ toolName: 'delete_files', output: 7 })
  expect(call()?.logs?.at(-1)).toBe('line 4999')
})

test('a bare call in another user’s session writes nothing', async () => {
  const { holdpoint, written, session } = world()
  await session.emit({ type: 'content', text: 'ada' })
  const mallory = holdpoint.session('chat', { userId: 'mallory' }).toolCall({ ...CALL, toolName: 'x' })
  await mallory.log('hello').catch(() => {})
  await mallory.update({ status: 'x' }).catch(() => {})
  expect(await written()).toEqual([])
})
