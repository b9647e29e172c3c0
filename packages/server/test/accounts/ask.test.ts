import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { AskInput } from '../../src/broker/shared/ask-types.ts'

import type { AskResponse } from '../../src/broker/shared/wire.ts'
import { createHarness, type Harness, signInCli } from './support/harness.ts'
import { minutes } from './support/world.ts'

let harness: Harness
let ada: string
let eve: string
const inputs: Omit<AskInput, 'signal'>[] = []

beforeAll(async () => {
  harness = await createHarness({
    ask: async ({ signal: _signal, ...input }) => {
      inputs.push(input)
      if (input.prompt === 'fail') throw new Error('model key sk-secret is wrong')
      return { message: `answer to ${input.prompt}`, data: { turns: input.history.length } }
    },
  })
  ada = (await signInCli(harness, 'ada')).status.token
  eve = (await signInCli(harness, 'eve')).status.token
})
afterAll(() => harness.close())
beforeEach(() => inputs.splice(0))

const ask = (body: object, bearer = ada) => harness.call<AskResponse>('/ask', { body, bearer })
const confirm = (body: object, bearer = ada) => harness.call<AskResponse>('/ask/confirm', { body, bearer })

describe('ask', () => {
  test('a prompt in one-shot mode is answered in one response', async () => {
    expect((await ask({ prompt: 'hello', context: { a: 1 } })).body).toEqual({
      status: 'completed',
      message: 'answer to hello',
      data: { prompt: 'hello', response: 'answer to hello', result: { turns: 0 } },
    })
    expect(inputs).toEqual([
      { principal: { userId: 'slack:ada' }, prompt: 'hello', context: { a: 1 }, history: [], mode: 'one_shot' },
    ])
  })

  test('a prompt with `confirm` runs only after the confirmation, exactly as shown, and once', async () => {
    const asked = (await ask({ prompt: 'Delete all', context: { project: 'P' }, confirm: true })).body
    expect(asked).toMatchObject({
      status: 'confirmation_required',
      requires_confirmation: true,
      message: 'Please confirm the following action: Delete all',
      data: { prompt: 'Delete all', context: { project: 'P' } },
    })
    expect(inputs).toEqual([])
    const body = { confirmation_token: asked.confirmation_token, approved: true }
    const answers = await Promise.all(Array.from({ length: 20 }, () => confirm(body)))
    expect(answers.filter(({ status }) => status === 200).map(({ body: { status } }) => status)).toEqual(['completed'])
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(19)
    expect(inputs).toMatchObject([{ prompt: 'Delete all', context: { project: 'P' }, mode: 'confirmed' }])
  })

  test('a denied confirmation runs nothing and uses the token up', async () => {
    const { body } = await ask({ prompt: 'Delete all', confirm: true })
    const { confirmation_token } = body
    expect((await confirm({ confirmation_token, approved: false })).body).toEqual({
      status: 'completed',
      message: 'Action cancelled by user',
    })
    expect(await confirm({ confirmation_token, approved: true })).toMatchObject({
      status: 409,
      body: { status: 'error', code: 'CONFIRMATION_USED' },
    })
    expect(inputs).toEqual([])
  })

  test('threat 24: a confirmation by another user, after five minutes, or for another prompt is rejected', async () => {
    const { body } = await ask({ prompt: 'Delete all', confirm: true })
    const { confirmation_token } = body
    expect(await confirm({ confirmation_token, approved: true }, eve)).toMatchObject({
      status: 404,
      body: { status: 'error' },
    })
    expect(await ask({ prompt: 'Delete more', confirmation_token })).toMatchObject({
      status: 409,
      body: { code: 'CONFIRMATION_MISMATCH' },
    })
    expect(await ask({ prompt: 'Delete all', confirmation_token })).toMatchObject({
      status: 200,
      body: { status: 'completed' },
    })
    const late = (await ask({ prompt: 'Delete all', confirm: true })).body.confirmation_token
    harness.world.advance(minutes(5))
    expect(await confirm({ confirmation_token: late, approved: true })).toMatchObject({ status: 410 })
    expect(inputs).toHaveLength(1)
  })

  test('a prompt in interactive mode receives the history of its conversation on any node', async () => {
    const first = (await ask({ prompt: 'one', interactive: true })).body
    expect(first).toMatchObject({
      status: 'interactive_response',
      interactive: true,
      session_id: expect.any(String),
      data: { prompt: 'one' },
    })
    const node = harness.node()
    const body = { prompt: 'two', interactive: true, session_id: first.session_id }
    const second = await harness.call<AskResponse>('/ask', { body, bearer: ada, on: node })
    expect(second.body.session_id).toBe(first.session_id)
    await ask({ prompt: 'three', interactive: true, session_id: first.session_id })
    expect(inputs.at(-1)?.history).toEqual([
      { role: 'user', content: 'one' },
      { role: 'assistant', content: 'answer to one' },
      { role: 'user', content: 'two' },
      { role: 'assistant', content: 'answer to two' },
    ])
  })

  test('a conversation that is unknown or belongs to another user is answered with 404', async () => {
    const { session_id } = (await ask({ prompt: 'one', interactive: true })).body
    const expected = { status: 404, body: { status: 'error', message: 'Invalid or expired session_id' } }
    expect(await ask({ prompt: 'x', interactive: true, session_id }, eve)).toMatchObject(expected)
    expect(await ask({ prompt: 'x', interactive: true, session_id: 'session_x' })).toMatchObject(expected)
  })

  test('a request without a prompt, a token or a handler, and a handler that throws, are answered with their errors', async () => {
    expect(await ask({})).toMatchObject({
      status: 400,
      body: { status: 'error', message: 'Missing required field: prompt' },
    })
    expect(await harness.call('/ask', { body: { prompt: 'x' } })).toMatchObject({
      status: 401,
      body: { code: 'TOKEN_MISSING' },
    })
    expect(await harness.call('/ask', { body: { prompt: 'x' }, bearer: 'x' })).toMatchObject({
      status: 401,
      body: { status: 'error', code: 'TOKEN_INVALID' },
    })
    const failed = await ask({ prompt: 'fail' })
    expect(failed).toMatchObject({ status: 500, body: { status: 'error' } })
    expect(JSON.stringify(failed.body) + harness.said.join()).not.toContain('sk-secret')
    const silent = await createHarness()
    const node = silent.node({ store: harness.world.store, now: harness.world.now })
    expect(await harness.call('/ask', { body: { prompt: 'x' }, bearer: ada, on: node })).toMatchObject({
      status: 501,
      body: { status: 'error' },
    })
    await silent.close()
  })

  test('the store contains no prompt in plain text', async () => {
    await ask({ prompt: 'my very private question', interactive: true })
    await ask({ prompt: 'my very private question', confirm: true })
    expect(harness.world.dump()).not.toContain('very private')
  })
})
