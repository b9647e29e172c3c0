import { expect, test } from 'vitest'
import { z } from 'zod'
import { bareKernel } from '../../../test/engine/support/bare-kernel.ts'
import {
  chooseToolSetting,
  listToolSettings,
  offeredToolSettings,
  revokeToolSetting,
  setToolSetting,
  toolSettingOf,
} from './tool-settings.ts'

const ada = { tenant: '', userId: 'ada' }
const choices = ['ask', 'auto']

function world(options: Parameters<typeof bareKernel>[0] = {}) {
  const bare = bareKernel(options)
  const { kernel } = bare
  kernel.tools.offer('send', choices)
  kernel.tools.register({ name: 'edit', input: z.object({}), choices, execute: () => undefined })
  kernel.tools.register({ name: 'plain', input: z.object({}), execute: () => undefined })
  return {
    ...bare,
    choice: (toolName: string, who = ada) => toolSettingOf(kernel, { ...who, toolName }),
    set: (toolName: string, choice: string, who = ada) => setToolSetting(kernel, { ...who, toolName, choice }),
    list: async (who = ada) => (await listToolSettings(kernel, who)).map(({ toolName, choice }) => [toolName, choice]),
    revoke: (toolName?: string) => revokeToolSetting(kernel, { ...ada, ...(toolName !== undefined && { toolName }) }),
    choose: (
      principal: { userId: string; tenant?: string },
      body: { toolName: string; choice: string | null; userId?: string },
    ) => chooseToolSetting(kernel, principal, body),
    offered: async (principal: { userId: string; tenant?: string } = { userId: 'ada' }) =>
      (await offeredToolSettings(kernel, principal)).body,
  }
}
const accepted = { status: 200, body: { status: 'accepted' } }

test('a tool setting applies to its tool, user and tenant until it changes', async () => {
  const { set, choice } = world()
  expect(await choice('send')).toBeNull()
  await set('send', 'auto')
  expect(await choice('send')).toBe('auto')
  expect(await choice('edit')).toBeNull()
  expect(await choice('send', { tenant: '', userId: 'bob' })).toBeNull()
  expect(await choice('send', { tenant: 'other', userId: 'ada' })).toBeNull()
  await set('send', 'ask')
  expect(await choice('send')).toBe('ask')
})

test('a setting that the tool does not offer is rejected, and the error lists the offered ones', async () => {
  const { set, choice } = world()
  await expect(set('plain', 'auto')).rejects.toMatchObject({
    code: 'unknown_tool_setting',
    details: { toolName: 'plain' },
  })
  await expect(set('plain', 'auto')).rejects.toThrow('no tool of this process')
  await expect(set('plain', 'auto')).rejects.toHaveProperty('details', { toolName: 'plain' })
  await expect(set('send', 'never')).rejects.toMatchObject({
    code: 'unknown_tool_setting',
    details: { toolName: 'send', choice: 'never', offered: choices },
    message: expect.stringContaining('It offers: ask, auto.'),
  })
  expect(await choice('send')).toBeNull()
})

test('tool settings are listed with their time, and with the user who set them for another user', async () => {
  const { kernel, clock, set } = world()
  await set('send', 'auto')
  await setToolSetting(kernel, { ...ada, toolName: 'edit', choice: 'ask', by: 'admin' })
  const setAt = new Date(clock.now())
  expect(await listToolSettings(kernel, ada)).toEqual([
    { toolName: 'edit', choice: 'ask', setAt, setBy: 'admin' },
    { toolName: 'send', choice: 'auto', setAt },
  ])
  expect((await listToolSettings(kernel, ada))[1]).not.toHaveProperty('setBy')
})

test('revoking one tool setting or all returns their number', async () => {
  const { set, list, revoke } = world()
  expect([await revoke(), await revoke('send')]).toEqual([0, 0])
  await set('send', 'auto')
  await set('edit', 'auto')
  expect(await revoke('send')).toBe(1)
  expect(await list()).toEqual([['edit', 'auto']])
  await set('send', 'auto')
  expect(await revoke()).toBe(2)
  expect(await list()).toEqual([])
})

test('a settings page lists the offered choices and the choice of this user', async () => {
  const { set, offered, clock } = world()
  await set('send', 'auto')
  const setAt = new Date(clock.now()).toISOString()
  expect(await offered()).toEqual({
    toolSettings: [
      { toolName: 'send', choices, choice: 'auto', setAt },
      { toolName: 'edit', choices, choice: null },
    ],
  })
  expect(await offered({ userId: 'ada', tenant: 'other' })).toMatchObject({
    toolSettings: [{ choice: null }, { choice: null }],
  })
})

test('a user sets and revokes tool settings in their own tenant', async () => {
  const { choose, choice, kernel } = world()
  const other = { userId: 'ada', tenant: 'other' }
  expect(await choose(other, { toolName: 'send', choice: 'auto' })).toEqual(accepted)
  expect(await choice('send')).toBeNull()
  expect(await choice('send', other)).toBe('auto')
  expect((await listToolSettings(kernel, other))[0]).not.toHaveProperty('setBy')
  expect(await choose(other, { toolName: 'send', choice: null })).toEqual(accepted)
  expect(await choice('send', other)).toBeNull()
})

test('a user cannot set tools for others unless the host allows it, and then the setting names the user who set it', async () => {
  const forBob = { toolName: 'send', choice: 'auto', userId: 'bob' }
  const alone = world()
  expect(await alone.choose({ userId: 'ada' }, forBob)).toMatchObject({
    status: 403,
    body: { error: { code: 'forbidden' } },
  })
  expect(await alone.choice('send', { tenant: '', userId: 'bob' })).toBeNull()
  expect(alone.logged).toMatchObject([['info', expect.stringContaining('refused'), { userId: 'ada', of: 'bob' }]])
  const asked: unknown[] = []
  const hosted = world({
    security: {
      authorizeToolSetting: (question) => {
        asked.push(question)
        return question.principal.userId === 'admin'
      },
    },
  })
  expect(await hosted.choose({ userId: 'admin' }, forBob)).toEqual(accepted)
  expect(await listToolSettings(hosted.kernel, { tenant: '', userId: 'bob' })).toMatchObject([{ setBy: 'admin' }])
  // The host may also forbid users to choose for themselves.
  expect(await hosted.choose({ userId: 'ada' }, { toolName: 'send', choice: 'auto' })).toMatchObject({ status: 403 })
  expect(asked).toEqual([
    { principal: { userId: 'admin' }, userId: 'bob', toolName: 'send', choice: 'auto' },
    { principal: { userId: 'ada' }, userId: 'ada', toolName: 'send', choice: 'auto' },
  ])
})

test('a choice that is not offered is an error of the caller, and a failing store is not', async () => {
  const { choose, kernel } = world()
  expect(await choose({ userId: 'ada' }, { toolName: 'plain', choice: 'auto' })).toMatchObject({
    status: 404,
    body: { error: { code: 'unknown_tool_setting', message: expect.stringContaining('no tool of this process') } },
  })
  await kernel.store.close()
  await expect(choose({ userId: 'ada' }, { toolName: 'send', choice: 'auto' })).rejects.toMatchObject({
    code: 'store_closed',
  })
})
