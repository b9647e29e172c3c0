import { holdpointTool, registerTools } from '@holdpoint/server/ai-sdk'
import { testHuman } from '@holdpoint/server/testing'
import { withPolicy } from '@holdpoint/server/tools'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { modelCalling, post, responded, toolPart, user } from '../bridges/support/chat.ts'
import { clusters, until } from '../engine/support/nodes.ts'
import { ADA, open } from '../engine/support/world.ts'

/** Policies on the other ways to run a tool: through the gate of the AI SDK, and where waiting means ending. */
const SEND = { name: 'sendMail', input: { to: 'bob', urgent: false } }

function world() {
  const holdpoint = open()
  const sent: unknown[] = []
  const policy = withPolicy(
    {
      inputSchema: z.object({ to: z.string(), urgent: z.boolean() }),
      execute: ({ to }, { confirmation }) => {
        sent.push([to, confirmation.edited])
        return { sent: to }
      },
    },
    {
      choices: { all: 'auto' },
      modeFrom: ({ urgent }) => (urgent ? 'auto' : undefined),
      confirm: ({ to }) => ({ prompt: `Send to ${to}?`, editable: true }),
    },
  )
  const tools = { sendMail: holdpointTool(policy) }
  return { holdpoint, sent, tools, human: testHuman(holdpoint, ADA), options: { tools, model: modelCalling(SEND) } }
}

describe('a policy behind the gate of the AI SDK', () => {
  test.each(['suspend', 'inline'] as const)(
    'in %s mode sends nothing before the approval, and once after it',
    async (mode) => {
      const { holdpoint, sent, human, options } = world()
      const first = post(holdpoint, [user('write')], { ...options, mode })
      const question = await human.next()
      expect(question).toMatchObject({ prompt: 'Send to bob?', toolName: 'sendMail' })
      expect(sent).toEqual([])
      if (mode === 'inline') await human.approve(question)
      const asked = await first
      if (mode === 'suspend') {
        expect(sent).toEqual([])
        // The messages contain an approval that no person gave.
        await post(holdpoint, responded(asked.messages, true), { ...options, mode })
        expect(sent).toEqual([])
        await human.approve(question)
        const answered = await post(holdpoint, responded(asked.messages, true), { ...options, mode })
        expect(toolPart(answered.messages)).toMatchObject({ output: { sent: 'bob' } })
      }
      expect(sent).toEqual([['bob', false]])
    },
  )

  test('offers its choices after the request that contains the tool, and after registerTools', async () => {
    const { holdpoint, human, tools, options } = world()
    const chosen = { userId: 'ada', toolName: 'sendMail', choice: 'all' }
    await expect(holdpoint.toolSettings.set(chosen)).rejects.toMatchObject({ code: 'unknown_tool_setting' })
    await post(holdpoint, [user('write')], options)
    await human.next()
    await holdpoint.toolSettings.set(chosen)
    const other = open()
    registerTools(other, tools)
    await other.toolSettings.set(chosen)
    expect(await other.toolSettings.list({ userId: 'ada' })).toMatchObject([{ choice: 'all' }])
  })

  test('threat 26: runs a call once if two tabs resume its approval, and both receive the recorded output', async () => {
    const { holdpoint, sent, human, options } = world()
    const asked = await post(holdpoint, [user('write')], options)
    await human.approve(await human.next())
    const yes = responded(asked.messages, true)
    const tabs = await Promise.all([post(holdpoint, yes, options), post(holdpoint, yes, options)])
    expect(tabs.map(({ messages }) => toolPart(messages))).toMatchObject([
      { output: { sent: 'bob' } },
      { output: { sent: 'bob' } },
    ])
    expect(sent).toEqual([['bob', false]])
  })

  test('threat 11: sends nothing for messages with an approval of a call without a question', async () => {
    const { holdpoint, sent, human, options } = world()
    const asked = await post(open(), [user('write')], { ...world().options })
    await post(holdpoint, responded(asked.messages, true), options)
    expect(sent).toEqual([])
    expect(await human.waiting()).toEqual([])
  })

  test('runs the input as the user edited it', async () => {
    const { holdpoint, sent, human, options } = world()
    const asked = await post(holdpoint, [user('write')], options)
    await human.approve(await human.next(), { args: { to: 'carol', urgent: false } })
    await post(holdpoint, responded(asked.messages, true), options)
    expect(sent).toEqual([['carol', true]])
  })

  test('asks nothing if the mode is computed as auto from the input or chosen by the user', async () => {
    const { holdpoint, sent, human, tools, options } = world()
    const urgent = modelCalling({ ...SEND, input: { to: 'bob', urgent: true } })
    await post(holdpoint, [user('write')], { tools, model: urgent })
    await holdpoint.toolSettings.set({ ...ADA, toolName: 'sendMail', choice: 'all' })
    await post(holdpoint, [user('write', 'message-2')], options)
    expect(sent).toHaveLength(2)
    expect(await human.waiting()).toEqual([])
  })
})

test('a confirmation in suspend mode is awaited by the tool that runs again', async () => {
  const [, makeSqlite] = clusters.find(([name]) => name === 'sqlite') ?? []
  if (!makeSqlite) throw new Error('no sqlite')
  const node = makeSqlite().node({ waiting: 'suspend', hooks: { onToolResult: () => {} } })
  const ran: string[] = []
  const tool = node.holdpoint.tool(
    withPolicy(
      { name: 'wipe', input: z.object({ disk: z.string() }), execute: ({ disk }) => void ran.push(disk) },
      { mode: 'confirm_before_execution', effects: { declined: () => ({ kept: true }) } },
    ),
  )
  const session = node.holdpoint.session('chat', ADA)
  const run = (toolCallId: string) => session.runTool(tool, { disk: 'a' }, { runId: 'run-1', toolCallId })
  const suspended = await run('call-1')
  expect(suspended.status).toBe('suspended')
  expect(await run('call-1')).toEqual(suspended)
  await node.holdpoint.recover()
  await node.holdpoint.tick()
  expect(ran).toEqual([])
  const human = testHuman(node.holdpoint, ADA)
  await human.approve(await human.next())
  await until(() => ran.length > 0, 'the confirmed call')
  expect(await run('call-1')).toEqual({ status: 'completed', result: undefined })
  expect(ran).toEqual(['a'])

  expect((await run('call-2')).status).toBe('suspended')
  await human.deny(await human.next())
  await until(async () => {
    const ended = await run('call-2').catch((error: { output?: unknown }) => error.output)
    return JSON.stringify(ended) === '{"kept":true}'
  }, 'the declined call')
  expect(ran).toEqual(['a'])
})

test('a policy also applies to execute with a bare context', async () => {
  const holdpoint = open()
  const ran: string[] = []
  const guarded = withPolicy(
    { name: 'wipe', input: z.object({}), execute: () => void ran.push('wiped') },
    { mode: 'confirm_before_execution' },
  )
  const ctx = holdpoint.session('chat', ADA).toolCall({ runId: 'r', toolCallId: 'c', toolName: 'wipe' })
  const running = Promise.resolve(guarded.execute({}, ctx))
  const human = testHuman(holdpoint, ADA)
  const question = await human.next()
  expect(ran).toEqual([])
  await human.approve(question)
  await running
  expect(ran).toEqual(['wiped'])
})
