import type { InteractionRecord } from '@holdpoint/server'
import { mcpTool } from '@holdpoint/server/mcp'
import type { Client, ClientOptions, ElicitRequest, ElicitResult } from '@modelcontextprotocol/client'
import { describe, expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { wayFor } from '../../../src/bridges/handlers/client-form.ts'
import type { ApproveOptions } from '../../../src/engine/api/questions.ts'
import { bridge, connected } from './support.ts'
import { type Content, DELETE, parsed, textOf, world } from './tools.ts'

type Elicitation = ElicitRequest['params']

/** How a question reaches the user, with a client that answers by its own dialogs. */
async function client(
  hp: ReturnType<typeof bridge>,
  elicitation: { form?: object; url?: object } | undefined,
  answer: (params: Elicitation) => ElicitResult | Promise<ElicitResult> = () => ({ action: 'cancel' }),
): Promise<{ client: Client; shown: Elicitation[] }> {
  const shown: Elicitation[] = []
  const capabilities = (elicitation ? { capabilities: { elicitation } } : {}) as ClientOptions
  const { client, close } = await connected(hp, 'ada', capabilities)
  if (elicitation) {
    client.setRequestHandler('elicitation/create', async ({ params }) => {
      shown.push(params)
      return await answer(params)
    })
  }
  onTestFinished(close)
  return { client, shown }
}
const yes = (): ElicitResult => ({ action: 'accept', content: { decision: 'once' } })

describe('a client with forms', () => {
  test('shows the approval with the exact arguments, and approving runs the tool once', async () => {
    const { holdpoint, tools, ran } = world()
    const { client: editor, shown } = await client(bridge(holdpoint, tools), { form: {} }, yes)
    expect(parsed(await editor.callTool(DELETE))).toEqual({ done: 'delete_files' })
    expect(ran).toEqual([['delete_files', { files: ['a.txt'] }]])
    expect(shown).toHaveLength(1)
    const [{ mode, message, requestedSchema }] = shown as [{ mode: string; message: string; requestedSchema: object }]
    expect(mode).toBe('form')
    expect(message).toContain(JSON.stringify({ files: ['a.txt'] }, null, 2))
    expect(message).toContain('Cannot be undone')
    expect(requestedSchema).toMatchObject({
      properties: { decision: { oneOf: [{ const: 'once' }, { const: 'session' }, { const: 'deny' }] } },
      required: ['decision'],
    })
  })

  test('text from a stranger is shown with its invisible characters escaped', async () => {
    const { holdpoint, tools } = world()
    const { client: editor, shown } = await client(bridge(holdpoint, tools), { form: {} })
    await editor.callTool({ name: 'delete_files', arguments: { files: ['a\u202etxt.exe'] } })
    expect(JSON.stringify(shown)).not.toContain('\u202e')
    expect(JSON.stringify(shown)).toContain('u{202e}')
  })

  test('an approval for the session covers the next call', async () => {
    const { holdpoint, tools, ran } = world()
    const wide = (): ElicitResult => ({ action: 'accept', content: { decision: 'session' } })
    const { client: editor, shown } = await client(bridge(holdpoint, tools), { form: {} }, wide)
    await editor.callTool(DELETE)
    await editor.callTool(DELETE)
    expect([shown.length, ran.length]).toEqual([1, 2])
  })

  test.each<[string, ApproveOptions<unknown>, string]>([
    ['without a key', {}, 'Approve for this session (this request)'],
    ['with a coarse key', { rememberAs: 'deploy' }, 'Approve for this session (also other requests of this tool)'],
    ['with a label', { rememberAs: 'deploy', scopeLabel: 'staging' }, 'Approve for this session, for staging'],
  ])('a wider approval %s names what it covers', async (_what, options, title) => {
    const { holdpoint } = world()
    const deploy = mcpTool({
      inputSchema: z.object({}),
      approve: () => ({ prompt: 'Deploy?', args: { to: 'staging' }, scopes: ['once', 'session'], ...options }),
      execute: () => 'done',
    })
    const { client: editor, shown } = await client(bridge(holdpoint, { deploy }), { form: {} })
    await editor.callTool({ name: 'deploy', arguments: {} })
    expect(shown).toMatchObject([
      { requestedSchema: { properties: { decision: { oneOf: [{}, { const: 'session', title }, {}] } } } },
    ])
  })

  test('the label of a wider approval says only "Always approve" if the bridge does not know what it covers', () => {
    const request = { prompt: 'Deploy?', approvalScopes: ['once', 'always'] }
    const record = { kind: 'approval', request } as unknown as InteractionRecord
    expect(wayFor(record, { form: true, url: false })).toMatchObject({
      params: { requestedSchema: { properties: { decision: { oneOf: [{}, { title: 'Always approve' }, {}] } } } },
    })
  })

  test.each<[string, ElicitResult, RegExp]>([
    ['deny in the form', { action: 'accept', content: { decision: 'deny', reason: 'I need it' } }, /I need it/],
    ['decline', { action: 'decline' }, /denied/],
  ])('%s ends the call without running the tool', async (_what, answer, text) => {
    const { holdpoint, human, tools, ran } = world()
    const { client: editor } = await client(bridge(holdpoint, tools), { form: {} }, () => answer)
    const result = await editor.callTool(DELETE)
    expect(result.isError).toBe(true)
    expect(textOf(result)).toMatch(text)
    expect(ran).toEqual([])
    expect(await human.waiting()).toEqual([])
  })

  test('a dialog that is closed leaves the question open, and the repeated call continues it', async () => {
    const { holdpoint, human, tools, ran } = world()
    const { client: editor } = await client(bridge(holdpoint, tools), { form: {} })
    expect(textOf(await editor.callTool(DELETE))).toContain('Nothing was done yet')
    await human.approve(await human.next())
    expect(parsed(await editor.callTool(DELETE))).toEqual({ done: 'delete_files' })
    expect(ran).toHaveLength(1)
  })

  test.each<[string, ElicitResult]>([
    ['no content', { action: 'accept' }],
    ['another choice', { action: 'accept', content: { decision: 'forever' } }],
    ['an inherited name', { action: 'accept', content: { decision: 'constructor' } }],
    ['a boolean', { action: 'accept', content: { decision: true } }],
  ])('an accepted form with %s approves nothing and is shown again', async (_what, wrong) => {
    const { holdpoint, tools, ran } = world()
    let prompts = 0
    const { client: editor, shown } = await client(bridge(holdpoint, tools), { form: {} }, () =>
      prompts++ === 0 ? wrong : { action: 'decline' },
    )
    await editor.callTool(DELETE)
    expect(shown).toHaveLength(2)
    expect(ran).toEqual([])
  })

  test('a form is validated on the server: rules that the MCP schema cannot express ask again with the error', async () => {
    const { holdpoint, tools, ran } = world()
    const inputs = [
      { to: 'eve@evil.example', sure: true },
      { to: 'ada@example.com', sure: false },
      { to: 'ada@example.com', sure: true },
    ]
    const { client: editor, shown } = await client(bridge(holdpoint, tools), { form: {} }, () => ({
      action: 'accept',
      content: inputs.shift()!,
    }))
    await editor.callTool({ name: 'send_mail', arguments: { text: 'hi' } })
    expect(ran).toEqual([['send_mail', { to: 'ada@example.com', sure: true }]])
    expect(shown).toHaveLength(3)
    expect(shown[1]?.message).toMatch(/to: /)
    expect(shown[2]?.message).toMatch(/sure: /)
  })

  test('an answer from another device counts, and the later answer of the dialog is ignored', async () => {
    const { holdpoint, human, tools, ran } = world()
    const { client: editor } = await client(bridge(holdpoint, tools), { form: {} }, async () => {
      await human.deny(await human.next(), 'From the phone')
      return yes()
    })
    expect(textOf(await editor.callTool(DELETE))).toContain('From the phone')
    expect(ran).toEqual([])
  })
})

describe('a client with URL mode', () => {
  test.each([
    ['wipe_disk', {}],
    ['sign_in', {}],
  ])('receives %s as a page, never as a form [M4.1]', async (name, args) => {
    const { holdpoint, human, tools, ran } = world()
    const { client: editor, shown } = await client(bridge(holdpoint, tools), { form: {}, url: {} }, async () => {
      const question = await human.next()
      await (question.kind === 'input' ? human.fill(question, { password: 'secret' }) : human.approve(question))
      return { action: 'accept' }
    })
    expect(parsed(await editor.callTool({ name, arguments: args }))).toEqual({ done: name })
    expect(shown).toMatchObject([{ mode: 'url', url: expect.stringContaining('https://app.example.com/q/mcp:ada/') }])
    expect(ran).toHaveLength(1)
  })

  test('waits for the answer after the user has opened the page', async () => {
    const { holdpoint, human, tools } = world()
    const { client: editor } = await client(bridge(holdpoint, tools), { form: {}, url: {} }, () => ({
      action: 'accept',
    }))
    const going = editor.callTool({ name: 'wipe_disk', arguments: {} })
    await human.approve(await human.next())
    expect(parsed(await going)).toEqual({ done: 'wipe_disk' })
  })

  test('an accepted page is no approval: without an answer the call ends and can be repeated [M4.2]', async () => {
    const { holdpoint, human, tools, ran } = world()
    const hp = bridge(holdpoint, tools, { waitMs: 1 })
    const { client: editor } = await client(hp, { form: {}, url: {} }, () => ({ action: 'accept' }))
    const call = { name: 'wipe_disk', arguments: {} }
    expect(textOf(await editor.callTool(call))).toContain('Nothing was done yet')
    expect(ran).toEqual([])
    await human.approve(await human.next())
    expect(parsed(await editor.callTool(call))).toEqual({ done: 'wipe_disk' })
    expect(ran).toHaveLength(1)
  })
})

describe('a client that cannot show questions', () => {
  test('receives the address as text, and the repeated call returns the result once', async () => {
    const { holdpoint, human, tools, ran } = world()
    const { client: editor } = await client(bridge(holdpoint, tools), undefined)
    const first = (await editor.callTool(DELETE)) as Content
    const question = await human.next()
    expect(first._meta?.['holdpoint/waiting']).toMatchObject({ interactionId: question.interactionId })
    expect(textOf(first)).toContain(`https://app.example.com/q/mcp:ada/${question.interactionId}`)
    expect(textOf(await editor.callTool(DELETE))).toContain(question.interactionId)
    expect(await human.waiting()).toHaveLength(1)
    await human.approve(question)
    expect(parsed(await editor.callTool(DELETE))).toEqual({ done: 'delete_files' })
    // The next call with the same arguments is a new wish.
    expect(textOf(await editor.callTool(DELETE))).toContain('Nothing was done yet')
    expect(ran).toHaveLength(1)
    expect((await human.next()).interactionId).not.toBe(question.interactionId)
  })

  test('fifty repeated calls at once run the tool once', async () => {
    const { holdpoint, human, tools, ran } = world()
    const { client: editor } = await client(bridge(holdpoint, tools), undefined)
    await editor.callTool(DELETE)
    await human.approve(await human.next())
    await Promise.all(Array.from({ length: 50 }, () => editor.callTool(DELETE)))
    expect(ran).toHaveLength(1)
  })

  test('runs tools without questions at once', async () => {
    const { holdpoint, tools } = world()
    const { client: editor } = await client(bridge(holdpoint, tools), undefined)
    expect(parsed(await editor.callTool({ name: 'plain', arguments: {} }))).toEqual({ done: 'plain' })
  })
})
