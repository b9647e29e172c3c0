import { type AgentContext, agent, type ClientApp, client } from '@agentclientprotocol/sdk'
import { createHoldpoint } from '@holdpoint/server'
import { acpAgent } from '@holdpoint/server/acp'
import { memoryStore } from '@holdpoint/server/memory'
import { testHuman } from '@holdpoint/server/testing'
import { expect, onTestFinished, test, vi } from 'vitest'

const FORM = { elicitation: { form: {}, url: {} } }

/** An agent whose questions are shown in a client that answers as this test says. */
function place(app: ClientApp, options: { capabilities?: object; userId?: string; url?: string } = {}) {
  const shown: unknown[] = []
  const holdpoint = createHoldpoint({
    store: memoryStore(),
    hooks: {
      onAsked: async ({ sessionId, interactionId }) => {
        const question = { sessionId, interactionId }
        await agent({ name: 'cleaner' }).connectWith(app, async (editor: AgentContext) => {
          const show = acpAgent(holdpoint, {
            ...{
              client: editor,
              acpSessionId: 's',
              capabilities: options.capabilities,
              userId: options.userId ?? 'ada',
            },
            ...(options.url !== undefined && { url: () => options.url as string }),
          })
          shown.push(await show(question))
        })
      },
    },
  })
  onTestFinished(() => holdpoint.close())
  const session = holdpoint.session('chat-1', { userId: 'ada' })
  const ctx = session.toolCall({ runId: 'run-1', toolCallId: 'call-1', toolName: 'delete_files' })
  return { shown, ctx, human: testHuman(holdpoint, { userId: 'ada' }) }
}

test('an approval is a permission request of the client, with the arguments and scopes', async () => {
  const requests: unknown[] = []
  const app = client({ name: 'editor' }).onRequest('session/request_permission', ({ params }) => {
    requests.push(params)
    return { outcome: { outcome: 'selected', optionId: 'session' } }
  })
  const { ctx, shown } = place(app)
  const args = { files: ['a.txt'] }
  expect(await ctx.approve({ prompt: 'Delete?', args, scopes: ['once', 'session'] })).toMatchObject({
    scope: 'session',
  })
  expect(requests).toMatchObject([
    {
      toolCall: { toolCallId: 'call-1', title: 'Delete?', rawInput: args },
      options: [{ kind: 'allow_once' }, { kind: 'allow_always' }, { kind: 'reject_once' }],
    },
  ])
  await vi.waitFor(() => expect(shown).toEqual(['answered']))
})

test.each([
  ['deny', { outcome: 'denied' }],
  ['invented', undefined],
])(
  "only the offered approval options approve a call: the client's option %s does not [G6.2]",
  async (optionId, outcome) => {
    const app = client({ name: 'editor' }).onRequest('session/request_permission', () => ({
      outcome: { outcome: 'selected', optionId },
    }))
    const { ctx, shown, human } = place(app)
    const asking = ctx.tryApprove({ prompt: 'Delete?' })
    await vi.waitFor(() => expect(shown).toEqual([outcome ? 'answered' : 'left_open']))
    if (!outcome) await human.deny(await human.next())
    expect(await asking).toMatchObject({ outcome: 'denied' })
  },
)

test('a form is an elicitation, and an invalid answer leaves the question open', async () => {
  const contents = [{ folder: 'x'.repeat(9) }]
  const app = client({ name: 'editor' }).onRequest('elicitation/create', () => ({
    action: 'accept',
    content: contents[0]!,
  }))
  const { ctx, shown, human } = place(app, { capabilities: FORM })
  const asking = ctx.ask({
    prompt: 'Where to?',
    fields: [{ id: 'folder', label: 'Folder', type: 'text', maxLength: 4 }],
  })
  await vi.waitFor(() => expect(shown).toEqual(['refused']))
  await human.fill(await human.next(), { folder: 'old' })
  expect(await asking).toEqual({ folder: 'old' })
})

test('a dangerous call and a secret are answered on the page, never in the client [G7.1]', async () => {
  const pages: unknown[] = []
  const app = client({ name: 'editor' }).onRequest('elicitation/create', ({ params }) => {
    pages.push(params)
    return { action: 'accept' }
  })
  const { ctx, shown, human } = place(app, { capabilities: FORM, url: 'https://app.example.com/q' })
  const asking = ctx.approve({ prompt: 'Delete all?', risk: 'high' })
  await vi.waitFor(() => expect(shown).toEqual(['left_open']))
  expect(pages).toMatchObject([{ mode: 'url', url: 'https://app.example.com/q' }])
  await human.approve(await human.next())
  await asking
})

test('a form is left to other surfaces if the client has no elicitation', async () => {
  const { ctx, shown, human } = place(client({ name: 'editor' }))
  const asking = ctx.ask({ prompt: 'Where to?', fields: [{ id: 'folder', label: 'Folder', type: 'text' }] })
  await vi.waitFor(() => expect(shown).toEqual(['not_shown']))
  await human.fill(await human.next(), { folder: 'old' })
  await asking
})

test('a client of another user answers nothing [G6.1]', async () => {
  const app = client({ name: 'editor' }).onRequest('session/request_permission', () => ({
    outcome: { outcome: 'selected', optionId: 'once' },
  }))
  const { ctx, shown, human } = place(app, { userId: 'eve' })
  const asking = ctx.tryApprove({ prompt: 'Delete?' })
  await vi.waitFor(() => expect(shown).toEqual(['refused']))
  await human.deny(await human.next())
  expect(await asking).toMatchObject({ outcome: 'denied' })
})

test('an answer from another surface wins over a later one of the client', async () => {
  let open = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  const app = client({ name: 'editor' }).onRequest('session/request_permission', async () => {
    await opened
    return { outcome: { outcome: 'selected', optionId: 'once' } }
  })
  const { ctx, shown, human } = place(app)
  const asking = ctx.tryApprove({ prompt: 'Delete?' })
  await human.deny(await human.next())
  open()
  expect(await asking).toMatchObject({ outcome: 'denied' })
  await vi.waitFor(() => expect(shown).toEqual(['refused']))
})
