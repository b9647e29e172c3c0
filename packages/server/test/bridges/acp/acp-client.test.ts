import { type AgentContext, agent, client, type PermissionOption } from '@agentclientprotocol/sdk'
import { createHoldpoint } from '@holdpoint/server'
import { acpClient } from '@holdpoint/server/acp'
import { memoryStore } from '@holdpoint/server/memory'
import { testHuman } from '@holdpoint/server/testing'
import { expect, onTestFinished, test } from 'vitest'

const OPTIONS: PermissionOption[] = [
  { optionId: 'yes', kind: 'allow_once', name: 'Yes' },
  { optionId: 'all', kind: 'allow_always', name: 'Always allow npm test' },
  { optionId: 'no', kind: 'reject_once', name: 'No' },
]
const CALL = {
  toolCallId: 'call-1',
  title: 'Run npm test',
  kind: 'execute' as const,
  rawInput: { command: 'npm test' },
}

function place() {
  const holdpoint = createHoldpoint({ store: memoryStore() })
  onTestFinished(() => holdpoint.close())
  const turn = { sessionId: 'chat-1', userId: 'ada', runId: 'turn-1' }
  const opened: string[] = []
  const hp = acpClient(holdpoint, { ...turn, agent: { name: 'Codex' }, onOpenPage: ({ url }) => opened.push(url) })
  const app = client({ name: 'editor' })
    .onRequest('session/request_permission', hp.requestPermission)
    .onRequest('elicitation/create', hp.createElicitation)
  /** The actions of the agent while it works for the client. */
  const as = <T>(work: (client: AgentContext) => Promise<T>) => agent({ name: 'codex' }).connectWith(app, work)
  const permission = (options = OPTIONS, toolCall: object = CALL) =>
    as((editor) =>
      editor.request('session/request_permission', { sessionId: 's', toolCall: toolCall as never, options }),
    )
  return {
    holdpoint,
    as,
    permission,
    opened,
    session: holdpoint.session('chat-1', turn),
    human: testHuman(holdpoint, turn),
  }
}

test('an approval selects the option for once, and the card shows the input', async () => {
  const { permission, human } = place()
  const going = permission()
  const question = await human.next()
  expect(question.request).toMatchObject({ prompt: 'Codex: Run npm test', args: { command: 'npm test' } })
  await human.approve(question)
  expect((await going).outcome).toEqual({ outcome: 'selected', optionId: 'yes' })
})

test('an approval for the session selects what the agent remembers, in the words of the agent', async () => {
  const { permission, human } = place()
  const going = permission()
  const question = await human.next()
  expect(question.request).toMatchObject({ approvalLabel: 'Always allow npm test' })
  await human.approve(question, { approvalScope: 'session' })
  expect((await going).outcome).toEqual({ outcome: 'selected', optionId: 'all' })
})

test('a denial selects the rejection', async () => {
  const { permission, human } = place()
  const going = permission()
  await human.deny(await human.next())
  expect((await going).outcome).toEqual({ outcome: 'selected', optionId: 'no' })
})

test('a permission request without an option to approve is rejected without a question', async () => {
  const { permission, human } = place()
  expect((await permission([OPTIONS[2]!])).outcome).toEqual({ outcome: 'selected', optionId: 'no' })
  expect((await permission([])).outcome).toEqual({ outcome: 'cancelled' })
  expect(await human.waiting()).toEqual([])
})

test('a cancelled turn answers all open permissions with cancelled', async () => {
  const { permission, session, human } = place()
  const going = [permission(), permission(OPTIONS, { ...CALL, toolCallId: 'call-2' })]
  await human.next()
  await expect.poll(async () => (await human.waiting()).length).toBe(2)
  await session.cancelRun('turn-1', 'user')
  for (const { outcome } of await Promise.all(going)) expect(outcome).toEqual({ outcome: 'cancelled' })
})

test('fifty requests of a reconnecting agent for one call are one question with one decision [G8.2]', async () => {
  const { permission, human } = place()
  const going = Promise.all(Array.from({ length: 50 }, () => permission()))
  await human.approve(await human.next())
  expect(new Set((await going).map(({ outcome }) => JSON.stringify(outcome)))).toHaveLength(1)
  expect(await human.waiting()).toEqual([])
})

test('an approval covers the input that was shown: the same call with another input is asked again [G8.1]', async () => {
  const { permission, human } = place()
  const going = permission()
  await human.approve(await human.next())
  expect((await going).outcome).toMatchObject({ optionId: 'yes' })
  const other = permission(OPTIONS, { ...CALL, rawInput: { command: 'rm -rf /' } })
  const question = await human.next()
  expect(question.request).toMatchObject({ args: { command: 'rm -rf /' } })
  await human.deny(question)
  expect((await other).outcome).toMatchObject({ optionId: 'no' })
})

test('the changes to files are shown, also without an input', async () => {
  const { permission, human } = place()
  const content = [{ type: 'diff', path: '/a.txt', oldText: 'a', newText: 'b' }]
  const going = permission(OPTIONS, { ...CALL, rawInput: undefined, content })
  const question = await human.next()
  expect(question.request).toMatchObject({ args: { changes: [{ path: '/a.txt', oldText: 'a', newText: 'b' }] } })
  await human.deny(question)
  await going
})

test('an elicitation with null in its schema is a form, and the answer reaches the agent', async () => {
  const { as, human } = place()
  const properties = { name: { type: 'string', title: 'Name', description: null, minLength: null } }
  const requestedSchema = { type: 'object', title: null, properties, required: ['name'] }
  const going = as((editor) =>
    editor.request('elicitation/create', { mode: 'form', sessionId: 's', message: 'Who?', requestedSchema } as never),
  )
  const question = await human.next()
  expect(question.prompt).toContain('Codex asks')
  await human.fill(question, { name: 'Ada' })
  expect(await going).toMatchObject({ action: 'accept', content: { name: 'Ada' } })
})

test('an elicitation that no form can show is declined with the reason', async () => {
  const { as, human } = place()
  const requestedSchema = { type: 'object', properties: { a: { type: 'hologram' } } }
  const answer = await as((editor) =>
    editor.request('elicitation/create', {
      mode: 'hologram',
      sessionId: 's',
      message: 'Who?',
      requestedSchema,
    } as never),
  )
  expect(answer).toMatchObject({ action: 'decline' })
  expect(await human.waiting()).toEqual([])
})

test('a page is opened only after consent [G8.3]', async () => {
  const { as, human, opened } = place()
  const request = { mode: 'url', sessionId: 's', message: 'Sign in', url: 'https://example.com/', elicitationId: 'e' }
  const going = as((editor) => editor.request('elicitation/create', request as never))
  const question = await human.next()
  expect(opened).toEqual([])
  await human.approve(question)
  expect([await going, opened]).toMatchObject([{ action: 'accept' }, ['https://example.com/']])
})
