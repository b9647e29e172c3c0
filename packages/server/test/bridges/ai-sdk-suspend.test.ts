import { holdpointTool } from '@holdpoint/server/ai-sdk'
import { testAccounts, testHuman } from '@holdpoint/server/testing'
import { tool } from 'ai'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { ADA, open } from '../engine/support/world.ts'
import { modelCalling, post, responded, toolPart, user } from './support/chat.ts'
import { DELETE, deleting } from './support/tools.ts'

/** The stream ends at a question, and the request that useChat sends after the answer continues. */
function world() {
  const holdpoint = open()
  const human = testHuman(holdpoint, ADA)
  const { tools, deleted } = deleting()
  const options = { model: modelCalling(DELETE), tools }
  return { holdpoint, human, tools, deleted, options }
}

describe('a question of a tool', () => {
  test('ends the stream at approval-requested, and the tool part names the question', async () => {
    const { holdpoint, human, deleted, options } = world()
    const { messages, chunks } = await post(holdpoint, [user('clean up')], options)
    const question = await human.next({ toolName: 'deleteFiles' })
    expect(toolPart(messages)).toMatchObject({
      state: 'approval-requested',
      approval: { descriptor: { interactionId: question.interactionId, kind: 'approval', prompt: 'Delete a.txt?' } },
    })
    expect(chunks.map(({ type }) => type)).not.toContain('data-holdpoint')
    expect(deleted).toEqual([])
  })

  test('runs the tool once in the resumed request after an approval, and the model continues', async () => {
    const { holdpoint, human, deleted, options } = world()
    const asked = await post(holdpoint, [user('clean up')], options)
    await human.approve(await human.next())
    const { messages } = await post(holdpoint, responded(asked.messages, true), options)
    expect(toolPart(messages)).toMatchObject({ state: 'output-available', output: { deleted: 1 } })
    expect(deleted).toEqual([['a.txt']])
    expect(options.model.doStreamCalls).toHaveLength(2)
  })

  test('runs nothing after a denial, and the model receives the denial', async () => {
    const { holdpoint, human, deleted, options } = world()
    const asked = await post(holdpoint, [user('clean up')], options)
    await human.deny(await human.next(), 'I need it')
    const { messages } = await post(holdpoint, responded(asked.messages, false), options)
    expect(toolPart(messages).state).toBe('output-denied')
    expect(deleted).toEqual([])
    expect(JSON.stringify(options.model.doStreamCalls[1]?.prompt)).toContain('execution-denied')
  })

  test('runs nothing after a denial, although the messages contain an approval', async () => {
    const { holdpoint, human, deleted, options } = world()
    const asked = await post(holdpoint, [user('clean up')], options)
    await human.deny(await human.next(), 'I need it')
    const { messages } = await post(holdpoint, responded(asked.messages, true), options)
    expect(toolPart(messages)).toMatchObject({
      state: 'output-denied',
      approval: { id: toolPart(asked.messages).approval?.id, approved: false, reason: 'I need it' },
    })
    expect(deleted).toEqual([])
  })

  test('runs the tool with the arguments as the user edited them', async () => {
    const { holdpoint, human, deleted, options } = world()
    const asked = await post(holdpoint, [user('clean up')], options)
    await human.approve(await human.next(), { args: { files: ['b.txt'] } })
    await post(holdpoint, responded(asked.messages, true), options)
    expect(deleted).toEqual([['b.txt']])
  })

  test('rejects edited arguments that do not fit the schema before the request is resumed', async () => {
    const { holdpoint, human, deleted, options } = world()
    const asked = await post(holdpoint, [user('clean up')], options)
    const question = await human.next()
    const refused = await human.approve(question, { args: { files: [5] } }).catch((error) => error)
    expect(refused).toMatchObject({ code: 'invalid_input', details: { fieldErrors: { files: [expect.any(String)] } } })
    await human.approve(question, { args: { files: ['b.txt'] } })
    await post(holdpoint, responded(asked.messages, true), options)
    expect(deleted).toEqual([['b.txt']])
  })

  test('is asked again in the resumed request, on the same surface, if the policy rejects the edited arguments [T28.4]', async () => {
    const { holdpoint, human, deleted, options } = world()
    const asked = await post(holdpoint, [user('clean up')], options)
    await human.approve(await human.next(), { args: { files: ['/'] } })
    const going = post(holdpoint, responded(asked.messages, true), options)
    const second = await human.next()
    expect(second.request).toMatchObject({ error: 'Never the root.' })
    await human.approve(second, { args: { files: ['c.txt'] } })
    const { messages, chunks } = await going
    expect(deleted).toEqual([['c.txt']])
    expect(toolPart(messages)).toMatchObject({ state: 'output-available' })
    expect(chunks.find(({ type }) => type === 'data-holdpoint')).toMatchObject({
      data: { interactionId: second.interactionId, status: 'open' },
    })
  })

  test('does not stop the next turn after an approval for the session', async () => {
    const { holdpoint, human, deleted, options } = world()
    await post(holdpoint, [user('clean up')], options)
    await human.approve(await human.next(), { approvalScope: 'session' })
    const { messages } = await post(holdpoint, [user('again', 'message-2')], options)
    expect(toolPart(messages)).toMatchObject({ state: 'output-available' })
    expect(deleted).toHaveLength(1)
  })
})

test('a form or a request for accounts in `before` ends the stream too', async () => {
  const accounts = testAccounts()
  const holdpoint = open({ accounts })
  const human = testHuman(holdpoint, { ...ADA, accounts })
  const sent: unknown[] = []
  const send = holdpointTool({
    inputSchema: z.object({ text: z.string() }),
    before: async (_input, ctx) => {
      const { to } = await ctx.ask({ prompt: 'Where to?', schema: z.object({ to: z.string() }) })
      const { slack } = await ctx.connect({ integrations: ['slack'] })
      return { to, slack }
    },
    execute: async ({ text }, { before }) => {
      sent.push([text, before.to, typeof (await before.slack.token())])
      return 'sent'
    },
  })
  accounts.set(ADA, 'slack')
  const options = { model: modelCalling({ name: 'send', input: { text: 'hi' } }), tools: { send } }
  const asked = await post(holdpoint, [user('send')], options)
  expect(toolPart(asked.messages)).toMatchObject({
    state: 'approval-requested',
    approval: { descriptor: { kind: 'input', inputSchema: { type: 'form' } } },
  })
  await human.fill(await human.next(), { to: '#general' })
  const { messages } = await post(holdpoint, responded(asked.messages, true), options)
  expect(toolPart(messages)).toMatchObject({ state: 'output-available', output: 'sent' })
  expect(sent).toEqual([['hi', '#general', 'string']])
})

test('a missing account is asked for by a question of the kind connect', async () => {
  const accounts = testAccounts()
  const holdpoint = open({ accounts })
  const human = testHuman(holdpoint, { ...ADA, accounts })
  const post_ = holdpointTool({
    inputSchema: z.object({}),
    before: (_input, ctx) => ctx.connect({ integrations: ['slack'], reason: 'to post' }),
    execute: async (_input, { before }) => typeof (await before.slack.token()),
  })
  const options = { model: modelCalling({ name: 'post', input: {} }), tools: { post: post_ } }
  const asked = await post(holdpoint, [user('post')], options)
  expect(toolPart(asked.messages)).toMatchObject({
    approval: { descriptor: { kind: 'connect', integrations: ['slack'], prompt: 'to post' } },
  })
  await human.next()
  await human.connect('slack')
  const { messages } = await post(holdpoint, responded(asked.messages, true), options)
  expect(toolPart(messages)).toMatchObject({ output: 'string' })
})

describe('tools of the SDK', () => {
  test('with needsApproval ask through Holdpoint, and run once', async () => {
    const holdpoint = open()
    const human = testHuman(holdpoint, ADA)
    let runs = 0
    const charge = tool({
      title: 'Charge the card',
      inputSchema: z.object({ amount: z.number() }),
      needsApproval: ({ amount }) => amount > 10,
      execute: async function* () {
        yield 'charging'
        yield `charged ${++runs}`
      },
    })
    const small = { model: modelCalling({ name: 'charge', input: { amount: 1 } }), tools: { charge } }
    expect(toolPart((await post(holdpoint, [user('a')], small)).messages)).toMatchObject({ output: 'charged 1' })
    const large = { model: modelCalling({ name: 'charge', input: { amount: 99 } }), tools: { charge } }
    const asked = await post(holdpoint, [user('b', 'message-2')], large)
    const question = await human.next()
    expect(question.prompt).toBe('Run Charge the card?')
    await human.approve(question)
    const { messages } = await post(holdpoint, responded(asked.messages, true), large)
    expect(toolPart(messages)).toMatchObject({ output: 'charged 2' })
  })

  test('that run in the browser are passed through unchanged', async () => {
    const holdpoint = open()
    const tools = { pick: tool({ inputSchema: z.object({}), outputSchema: z.string() }) }
    const { messages } = await post(holdpoint, [user('a')], {
      model: modelCalling({ name: 'pick', input: {} }),
      tools,
    })
    expect(toolPart(messages).state).toBe('input-available')
  })
})
