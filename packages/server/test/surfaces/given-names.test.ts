import { createHoldpoint } from '@holdpoint/server'
import { memoryStore } from '@holdpoint/server/memory'
import { addSurfaces, type InteractionRecord } from '@holdpoint/server/surfaces'
import { expect, test } from 'vitest'
import { world } from '../answer-page/support.ts'

const names = {
  tools: { post_to_slack: { name: 'Post to Slack' }, delete_files: { name: 'Tidy up' } },
  integrations: { github: { name: 'GitHub' } },
}

test('the names of the app are on the answer page, for approvals and for requests for accounts', async () => {
  const { approval, linked, get, session, human } = world({ names }, { linkMayAnswer: ['accounts'] })
  const { question } = await approval({ prompt: undefined })
  const page = await (await get(await linked(question.interactionId))).text()
  expect(page).toContain('<h1><bdi>Allow “Tidy up”?</bdi></h1>')
  expect(page).not.toContain('Delete files')

  void session
    .toolCall({ runId: 'r', toolCallId: 'c', toolName: 'post_to_slack' })
    .tryConnect({ integrations: ['github'], reason: 'To read the issues.' })
    .catch(() => {})
  const { interactionId } = await human.next()
  const connect = await (await get(await linked(interactionId))).text()
  expect(connect).toMatch(/<h1><bdi>Connect GitHub<\/bdi><\/h1>\n<p><bdi>To read the issues\.<\/bdi><\/p>/)
  expect(connect).toMatch(/Post to Slack.*Answer within/)
})

test('a surface receives the names with the question, and ids without a name are written as words', async () => {
  const { holdpoint, pages, session } = world({ names })
  const presented: InteractionRecord[] = []
  addSurfaces(holdpoint, {
    pages,
    surfaces: [{ name: 'board', present: async (interaction) => presented.push(interaction), update: async () => {} }],
  })
  const call = (toolName: string) => session.toolCall({ runId: 'r', toolCallId: toolName, toolName })
  void call('post_to_slack')
    .tryConnect({ integrations: ['github', 'google-calendar'] })
    .catch(() => {})
  void call('constructor')
    .tryApprove({ prompt: 'Continue?' })
    .catch(() => {})
  await expect.poll(() => presented.length).toBe(2)
  const named = new Map(presented.map((record) => [record.toolName, record.names]))
  expect(named.get('post_to_slack')).toEqual({
    tool: 'Post to Slack',
    integrations: { github: 'GitHub', 'google-calendar': 'Google Calendar' },
  })
  expect(named.get('constructor')).toEqual({ tool: 'Constructor', integrations: {} })
})

test.each([
  [{ tools: { a: 'A' } }, '"names.tools.a" must be an object such as { name: \'Post to Slack\' }, got "A"'],
  [{ accounts: {} }, '"names.accounts" is not an option. The options here are tools, integrations'],
])('names that nothing would read are rejected: %j', (wrong, message) => {
  const create = () => createHoldpoint({ store: memoryStore(), names: wrong as never })
  expect(create).toThrow(message)
})
