import { type HoldpointOptions, InteractionRefused } from '@holdpoint/server'
import { testHuman } from '@holdpoint/server/testing'
import { withPolicy } from '@holdpoint/server/tools'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { clusters, type Node, until } from '../engine/support/nodes.ts'
import { ADA, BOB, person } from '../engine/support/world.ts'

const KEYS = [{ id: '1', key: new Uint8Array(32) }]
const CALL = { runId: 'run-1', toolCallId: 'call-1' }

describe.each(clusters)('%s', (_name, makeCluster) => {
  function world() {
    const cluster = makeCluster()
    const ran: { node: string; method: string; url: string; edited: boolean }[] = []
    const node = (name: string, options: HoldpointOptions = {}) => {
      const made = cluster.node({ ...options, security: { vaultKeys: KEYS, ...options.security } })
      const tool = made.holdpoint.tool(
        withPolicy(
          {
            name: 'call_system',
            input: z.object({ method: z.string(), url: z.string(), login: z.boolean().optional() }),
            execute: async ({ method, url }, ctx) => {
              const password = ctx.confirmation.form && (await ctx.secret(`${ctx.confirmation.form.password}`))
              ran.push({ node: name, method, url, edited: ctx.confirmation.edited })
              return { method, url, ...(password !== undefined && { password: password.length }) }
            },
          },
          {
            choices: {
              ask: 'confirm_before_execution',
              reads: ({ method }) => (method === 'GET' ? 'auto' : 'confirm_before_execution'),
              all: 'auto',
            },
            modeFrom: ({ method }) => (method === 'HEAD' ? 'auto' : undefined),
            allow: ({ url }) => (url.includes('internal') ? 'Internal addresses are never called.' : true),
            confirm: ({ method, url }) => ({
              prompt: `${method} ${url}?`,
              editable: true,
              scopes: ['once', 'session', 'always'],
            }),
            form: ({ login }) =>
              login ? [{ type: 'secret', id: 'password', label: 'Password', required: true }] : undefined,
            pending: ({ method, url }) => ({ request: { method, url } }),
          },
        ),
      )
      const run = (input: { method: string; url: string; login?: boolean }, call = {}, session = 'chat', user = ADA) =>
        made.holdpoint.session(session, user).runTool(tool, input, { ...CALL, ...call })
      return { ...made, tool, run }
    }
    return { cluster, node, ran }
  }
  const humanAt = ({ holdpoint }: Pick<Node, 'holdpoint'>, who = ADA) => testHuman(holdpoint, who)

  test('a call runs only after its confirmation, and its pending output is shown and then replaced', async () => {
    const { node, ran } = world()
    const one = node('one')
    const running = one.run({ method: 'POST', url: '/a' })
    const question = await humanAt(one).next()
    expect(question).toMatchObject({ prompt: 'POST /a?', args: { method: 'POST', url: '/a' } })
    expect(ran).toEqual([])
    const before = await person(one.holdpoint).events()
    expect(before.filter(({ type }) => type === 'tool_call_update')).toMatchObject([
      { toolCallId: 'call-1', status: 'awaiting_confirmation', output: { request: { method: 'POST', url: '/a' } } },
    ])
    await humanAt(one).approve(question)
    expect(await running).toEqual({ status: 'completed', result: { method: 'POST', url: '/a' } })
    const calls = (await person(one.holdpoint).events()).filter(({ type }) => type.startsWith('tool_call'))
    expect(calls.map(({ type, status, output }) => [type, status, output])).toEqual([
      ['tool_call_start', undefined, undefined],
      ['tool_call_update', 'awaiting_confirmation', { request: { method: 'POST', url: '/a' } }],
      ['tool_call_update', 'running', undefined],
      ['tool_call_complete', 'completed', { method: 'POST', url: '/a' }],
    ])
  })

  test('a denied call runs nothing', async () => {
    const { node, ran } = world()
    const one = node('one')
    const running = expect(one.run({ method: 'POST', url: '/a' })).rejects.toMatchObject({ outcome: 'denied' })
    await humanAt(one).deny(await humanAt(one).next())
    await running
    expect(ran).toEqual([])
    expect((await person(one.holdpoint).events()).at(-1)).toMatchObject({
      type: 'tool_call_complete',
      status: 'declined',
    })
  })

  test('a setting applies to all sessions and processes of its user, is listed, and can be revoked', async () => {
    const { node, ran } = world()
    const [one, two] = [node('one'), node('two')]
    const before = Date.now()
    await one.holdpoint.toolSettings.set({ ...ADA, toolName: 'call_system', choice: 'reads' })
    expect(await two.holdpoint.toolSettings.list(ADA)).toEqual([
      { toolName: 'call_system', choice: 'reads', setAt: expect.any(Date) },
    ])
    expect((await two.holdpoint.toolSettings.list(ADA))[0]?.setAt.getTime()).toBeGreaterThan(before - 60_000)
    await two.run({ method: 'GET', url: '/a' }, {}, 'another chat')
    expect(ran).toHaveLength(1)
    const asked = two.run({ method: 'POST', url: '/b' }, { toolCallId: 'call-2' })
    await humanAt(two).approve(await humanAt(two).next())
    await asked
    expect(await two.holdpoint.toolSettings.revoke(ADA)).toBe(1)
    expect(await one.holdpoint.toolSettings.list(ADA)).toEqual([])
    const again = one.run({ method: 'GET', url: '/c' }, { toolCallId: 'call-3' })
    expect(await humanAt(one).next()).toMatchObject({ prompt: 'GET /c?' })
    await humanAt(one).approve((await humanAt(one).waiting())[0]!)
    await again
  })

  test('threat 3: a setting of one user does not apply to another user', async () => {
    const { node, ran } = world()
    const one = node('one')
    await one.holdpoint.toolSettings.set({ ...ADA, toolName: 'call_system', choice: 'all' })
    const running = one.run({ method: 'POST', url: '/b' }, {}, 'bobs', BOB).catch((error: unknown) => error)
    await humanAt(one, BOB).deny(await humanAt(one, BOB).next())
    expect(await running).toBeInstanceOf(InteractionRefused)
    expect(ran).toEqual([])
  })

  test('a call that asks for secrets requires an approval despite a setting or an earlier approval for always', async () => {
    const { node, ran } = world()
    const one = node('one')
    const human = humanAt(one)
    const login = { method: 'HEAD', url: '/a', login: true }
    await one.holdpoint.toolSettings.set({ ...ADA, toolName: 'call_system', choice: 'all' })
    for (const [toolCallId, scope] of [['call-1', 'always'] as const, ['call-2', undefined] as const]) {
      const running = one.run(login, { toolCallId })
      if (scope) await human.approve(await human.next({ kind: 'approval' }), { approvalScope: scope })
      const form = await human.next({ kind: 'input' })
      expect(ran).toHaveLength(toolCallId === 'call-1' ? 0 : 1)
      await human.fill(form, { password: 'hunter22' })
      expect(await running).toMatchObject({ result: { password: 8 } })
    }
    expect(JSON.stringify(await person(one.holdpoint).events())).not.toContain('hunter22')
  })

  test('threat 28: an edited input is validated by schema and policy again, and never widens a remembered approval', async () => {
    const { node, ran } = world()
    const one = node('one')
    const human = humanAt(one)
    const running = one.run({ method: 'POST', url: '/a' })
    const first = await human.next()
    const wrong = human.approve(first, { args: { method: 'POST', url: 7 } })
    await expect(wrong).rejects.toMatchObject({ code: 'invalid_input' })
    await human.approve(first, { args: { method: 'POST', url: 'http://internal/' }, answerId: 'edit-1' })
    const second = await human.next()
    expect(second.request).toMatchObject({ error: 'Internal addresses are never called.' })
    expect(ran).toEqual([])
    const wider = human.approve(second, { args: { method: 'POST', url: '/b' }, approvalScope: 'always' })
    await expect(wider).rejects.toMatchObject({ code: 'scope_not_offered' })
    await human.approve(second, { args: { method: 'POST', url: '/b' } })
    expect(await running).toEqual({ status: 'completed', result: { method: 'POST', url: '/b' } })
    expect(ran).toEqual([{ node: 'one', method: 'POST', url: '/b', edited: true }])
    expect(await one.holdpoint.approvals.list(ADA)).toEqual([])
  })

  test('the mode is computed again from the edited input, and secrets that it needs are requested', async () => {
    const { node, ran } = world()
    const one = node('one')
    const human = humanAt(one)
    const running = one.run({ method: 'POST', url: '/a' })
    await human.approve(await human.next(), { args: { method: 'POST', url: '/a', login: true } })
    const form = await human.next({ kind: 'input' })
    expect(ran).toEqual([])
    await human.fill(form, { password: 'hunter22' })
    expect(await running).toMatchObject({ result: { password: 8 } })
  })

  test('an input that the policy rejects causes no question', async () => {
    const { node, ran } = world()
    const one = node('one')
    await expect(one.run({ method: 'GET', url: 'http://internal/' })).rejects.toMatchObject({
      outcome: 'denied',
      reason: 'Internal addresses are never called.',
    })
    expect(ran).toEqual([])
    expect(await humanAt(one).waiting()).toEqual([])
  })

  test('a call whose process dies while it waits still waits after its recovery, although the user chose "all" meanwhile', async () => {
    const { node, ran } = world()
    const [one, two] = [node('one'), node('two')]
    void one.run({ method: 'POST', url: '/a' })
    const question = await humanAt(two).next()
    one.kill()
    await two.holdpoint.toolSettings.set({ ...ADA, toolName: 'call_system', choice: 'all' })
    await until(async () => {
      await two.holdpoint.recover()
      return two.holdpoint.stats().waiting > 0
    }, 'recovery')
    expect(ran).toEqual([])
    expect(await humanAt(two).waiting()).toHaveLength(1)
    await humanAt(two).approve(question)
    await until(() => ran.length > 0, 'the confirmed call')
    expect(ran).toEqual([{ node: 'two', method: 'POST', url: '/a', edited: false }])
  })

  test('an automatic call asks if it is repeated after the setting was revoked', async () => {
    const { node, ran, cluster } = world()
    const one = node('one')
    await one.holdpoint.toolSettings.set({ ...ADA, toolName: 'call_system', choice: 'all' })
    // It dies at the journal of its execution: decided, not done.
    let writes = 0
    one.store.onCall(({ name }) => (name === 'commit' && ++writes === 4 ? 'die before' : undefined))
    void one.run({ method: 'POST', url: '/a' })
    await until(() => one.store.dead, 'the death')
    const before = ran.length
    const two = node('two')
    await two.holdpoint.toolSettings.revoke(ADA)
    await until(async () => {
      await two.holdpoint.recover()
      return (await humanAt(two).waiting()).length > 0
    }, 'the question')
    expect(ran).toHaveLength(before)
    expect(cluster).toBeDefined()
  })

  test('unknown tools and choices are rejected with their own codes', async () => {
    const { node } = world()
    const { holdpoint } = node('one')
    const set = (toolName: string, choice: string) => holdpoint.toolSettings.set({ ...ADA, toolName, choice })
    await expect(set('nothing', 'all')).rejects.toMatchObject({ code: 'unknown_tool_setting' })
    await expect(set('call_system', 'everything')).rejects.toMatchObject({
      code: 'unknown_tool_setting',
      message: expect.stringContaining('ask, reads, all'),
    })
    await expect(set('call_system', 'constructor')).rejects.toMatchObject({ code: 'unknown_tool_setting' })
    holdpoint.toolSettings.offer('elsewhere', ['yes'])
    await set('elsewhere', 'yes')
    expect(await holdpoint.toolSettings.list(ADA)).toMatchObject([{ toolName: 'elsewhere', choice: 'yes' }])
  })
})
