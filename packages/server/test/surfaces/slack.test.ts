import { surfaceSuite } from '@holdpoint/conformance/surface'
import type { InteractionRecord, Recipient } from '@holdpoint/server/surfaces'
import { expect, onTestFinished, test } from 'vitest'
import { messageLanguage } from '../../src/surfaces/message-language.ts'
import { isSignedBySlack } from '../../src/surfaces/slack/signature.ts'
import { canAnswerInMessage } from '../../src/surfaces/slack/views/blocks.ts'
import { slackWorld } from './support/slack-world.ts'

surfaceSuite('Slack through its client to a double of its API', { make: slackWorld, sendsAfterCrash: 1 })

const record = (request: object = {}, rest: object = {}) =>
  ({
    ...{ interactionId: 'q1', tenant: '', sessionId: 'chat', userId: 'ada', toolName: 'deploy', kind: 'approval' },
    names: { tool: 'Deploy', integrations: {} },
    request: { type: 'interaction_request', prompt: 'Deploy?', risk: 'low', args: { to: 'test' }, ...request },
    ...rest,
  }) as unknown as InteractionRecord
const ada: Recipient = { tenant: '', userId: 'ada', reminder: 0, deliveryId: 'q1/slack/ada/0', repeat: false }
const links = { page: 'https://app.example.com/page', answer: async () => 'https://app.example.com/answer/TOKEN' }

test.each([
  ['an approval of a low risk', record(), true],
  ['an approval without a stated risk', record({ risk: undefined }), false],
  ['an approval of a high risk', record({ risk: 'high' }), false],
  ['an approval with a form', record({ inputSchema: { type: 'form', fields: [] } }), false],
  ['a diff', record({ diff: [{ path: 'a', hunks: [] }] }), false],
  ['arguments that do not fit into the message', record({ args: { text: 'a'.repeat(3_001) } }), false],
  ['a prompt that does not fit into the message', record({ prompt: 'a'.repeat(3_001) }), false],
])('%s is answered in the message: %s', async (_name, interaction, expected) => {
  const { surface, posts, stop } = await slackWorld({ now: Date.now })
  onTestFinished(() => stop?.())
  expect(canAnswerInMessage(interaction, messageLanguage())).toBe(expected)
  await surface.present(interaction, ada, links)
  const actions = posts[0]?.blocks.flatMap(({ elements = [] }) => elements.map(({ action_id }) => action_id))
  const answering = ['holdpoint.approve', 'holdpoint.deny']
  expect(actions).toEqual([...(expected ? answering : []), 'holdpoint.open'])
})

test('a reminder is found in the thread of its message by its own id', async () => {
  const { surface, stop } = await slackWorld({ now: Date.now })
  onTestFinished(() => stop?.())
  const first = await surface.present(record(), ada, links)
  const reminder = { ...ada, reminder: 1, deliveryId: 'q1/slack/ada/1', previous: first!, repeat: true }
  expect(await surface.find!(record(), reminder)).toBe(null)
  expect(await surface.present(record(), reminder, links)).toEqual(first)
  expect(await surface.find!(record(), reminder)).toEqual(first)
  expect(await surface.find!(record(), { ...reminder, reminder: 2, deliveryId: 'q1/slack/ada/2' })).toBe(null)
})

test('a message with answer buttons shows all arguments and facts', async () => {
  const { surface, messages, stop } = await slackWorld({ now: Date.now })
  onTestFinished(() => stop?.())
  await surface.present(record({ facts: [{ label: 'Costs', value: '5 €' }] }), ada, links)
  expect(messages()[0]?.text).toContain('Costs: 5 €\nTo: test')
})

test('the signature of the example in Slack’s documentation is accepted within five minutes', async () => {
  const body =
    'token=xyzz0WbapA4vBCDEFasx0q6G&team_id=T1DC2JH3J&team_domain=testteamnow&channel_id=G8PSS9T3V&channel_name=foobar&user_id=U2CERLKJA&user_name=roadrunner&command=%2Fwebhook-collect&text=&response_url=https%3A%2F%2Fhooks.slack.com%2Fcommands%2FT1DC2JH3J%2F397700885554%2F96rGlfmibIGlgcZRskXaIFfN&trigger_id=398738663015.47445629121.803a0bc887a14d10d2c447fce8b6703c'
  const signature = 'v0=a2114d57b48eac39b9ad189dd8316235a7b4a8d21a10bd27519666489c69b503'
  const request = { timestamp: '1531420618', signature, body }
  const check = (seconds: number) => isSignedBySlack('8f742231b10e8888abcd99yyyzzz85a5', request, seconds * 1_000)
  expect(await Promise.all([1531420618, 1531420918, 1531420919, 1531420317].map(check))).toEqual([
    true,
    true,
    false,
    false,
  ])
})
