import { createHoldpoint, type HoldpointOptions } from '@holdpoint/server'
import { memoryStore } from '@holdpoint/server/memory'
import { withPolicy } from '@holdpoint/server/tools'
import { expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'

function world(options: HoldpointOptions = {}) {
  const holdpoint = createHoldpoint({
    store: memoryStore(),
    authenticate: (request) => {
      const userId = request.headers.get('x-user')
      return userId ? { userId } : null
    },
    ...options,
  })
  onTestFinished(() => holdpoint.close())
  holdpoint.tool(
    withPolicy(
      { name: 'call_system', input: z.object({}), execute: () => 1 },
      { choices: { ask: 'confirm_before_execution', all: 'auto' } },
    ),
  )
  const send = async (user: string | null, body?: unknown, headers: Record<string, string> = {}) => {
    const response = await holdpoint.fetch(
      new Request('https://app.example/holdpoint/tool-settings', {
        ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
        headers: {
          ...(user !== null && { 'x-user': user }),
          origin: 'https://app.example',
          host: 'app.example',
          'content-type': 'application/json',
          ...headers,
        },
      }),
    )
    return { status: response.status, body: (await response.json()) as { error: { code: string; message: string } } }
  }
  return { holdpoint, send }
}
const ALL = { toolName: 'call_system', choice: 'all' }

test('a settings page lists the choices, sets one and revokes it', async () => {
  const { send } = world()
  const choices = ['ask', 'all']
  expect(await send('ada')).toEqual({
    status: 200,
    body: { toolSettings: [{ toolName: 'call_system', choices, choice: null }] },
  })
  expect((await send('ada', ALL)).status).toBe(200)
  expect(await send('ada')).toMatchObject({ body: { toolSettings: [{ choice: 'all', setAt: expect.any(String) }] } })
  expect(await send('bob')).toMatchObject({ body: { toolSettings: [{ choice: null }] } })
  expect((await send('ada', { ...ALL, choice: null })).status).toBe(200)
  expect(await send('ada')).toMatchObject({ body: { toolSettings: [{ choice: null }] } })
})

test('a tool setting by a user without the right is rejected, and nothing is changed', async () => {
  const { holdpoint, send } = world()
  expect(await send(null, ALL)).toMatchObject({ status: 401, body: { error: { code: 'not_authenticated' } } })
  expect(await send('eve', { ...ALL, userId: 'ada' })).toMatchObject({
    status: 403,
    body: { error: { code: 'forbidden' } },
  })
  expect(await send('ada', ALL, { origin: 'https://evil.example' })).toMatchObject({
    status: 403,
    body: { error: { code: 'origin_not_allowed' } },
  })
  expect(await holdpoint.toolSettings.list({ userId: 'ada' })).toEqual([])
})

test('authorizePolicy decides who may choose a setting, also for other users', async () => {
  const { holdpoint, send } = world({
    security: { authorizeToolSetting: ({ principal, choice }) => principal.userId === 'root' || choice !== 'all' },
  })
  expect((await send('ada', ALL)).status).toBe(403)
  expect((await send('ada', { ...ALL, choice: 'ask' })).status).toBe(200)
  expect((await send('root', { ...ALL, userId: 'ada' })).status).toBe(200)
  expect(await holdpoint.toolSettings.list({ userId: 'ada' })).toMatchObject([{ choice: 'all', setBy: 'root' }])
})

test('unknown tools, unknown choices and malformed bodies are rejected with their own codes', async () => {
  const { send } = world()
  for (const body of [
    { toolName: 'nothing', choice: 'all' },
    { toolName: 'call_system', choice: 'everything' },
    { toolName: 'constructor', choice: 'name' },
  ]) {
    expect(await send('ada', body)).toMatchObject({ status: 404, body: { error: { code: 'unknown_tool_setting' } } })
  }
  for (const body of [{}, [], { toolName: 'call_system' }, { ...ALL, extra: 1 }, { toolName: 1, choice: 'all' }]) {
    expect(await send('ada', body)).toMatchObject({ status: 400, body: { error: { code: 'invalid_message' } } })
  }
})
