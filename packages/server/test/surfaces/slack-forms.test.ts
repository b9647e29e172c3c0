import { createHoldpoint } from '@holdpoint/server'
import { answerPage } from '@holdpoint/server/answer-page'
import { memoryStore } from '@holdpoint/server/memory'
import { addSurfaces, type InteractionRecord } from '@holdpoint/server/surfaces'
import { expect, onTestFinished, test, vi } from 'vitest'
import { messageLanguage } from '../../src/surfaces/message-language.ts'
import { formModal } from '../../src/surfaces/slack/views/modal.ts'
import { slackWorld } from './support/slack-world.ts'

const LIMIT = { timeout: 10_000 }

/** Ada is asked in the tool, and gets the message of Slack. */
async function asked(question: object, { language = 'en' } = {}) {
  const slack = await slackWorld({ now: Date.now, language })
  onTestFinished(() => slack.stop?.())
  const holdpoint = createHoldpoint({
    store: memoryStore(),
    logger: { debug() {}, info() {}, warn() {}, error() {} },
    hooks: { onToolResult: () => {}, onFollowUp: () => {} },
  })
  onTestFinished(() => holdpoint.close())
  const pages = answerPage(holdpoint, { url: 'https://app.example.com/holdpoint' })
  addSurfaces(holdpoint, { pages, surfaces: [slack.surface] })
  const call = { runId: 'run-1', toolCallId: 'call-1', toolName: 'order' }
  const context = holdpoint.session('chat', { userId: 'ada' }).toolCall(call)
  const asking = context.tryAsk({ prompt: 'Where to?', ...question } as never).catch((error: unknown) => error)
  await vi.waitFor(() => expect(slack.posts).toHaveLength(1), LIMIT)
  const actions = () =>
    slack.posts[0]?.blocks.flatMap(({ elements = [] }) => elements.map(({ action_id }) => action_id)) ?? []
  const open = () => holdpoint.fetch(slack.form!.open({ messageOf: 'ada', by: 'ada' }))
  const send = async (values: Record<string, string>) =>
    slack.form!.take(await holdpoint.fetch(slack.form!.submit('ada', values)))
  return { slack, holdpoint, asking, actions, open, send }
}

const text = (rest: object = {}) => ({ id: 'name', type: 'text', label: 'Name', ...rest })
const options = (count: number, label = 'Option') =>
  Array.from({ length: count }, (_, n) => ({ value: `v${n}`.padEnd(200, 'x'), label: `${label} ${n}` }))
const choice = (rest: object) => ({ id: 'a', type: 'select', label: 'A', options: options(2), ...rest })
const amount = (label: string) => ({ id: 'a', type: 'money', currency: 'EUR', label })
const FORM = ['holdpoint.form', 'holdpoint.decline', 'holdpoint.open']
const PAGE = ['holdpoint.open']

test.each([
  ['a text', [text()], FORM],
  ['100 options with long values', [{ id: 'a', type: 'select', label: 'A', options: options(100) }], FORM],
  ['101 options', [{ id: 'a', type: 'select', label: 'A', options: options(101) }], PAGE],
  ['an option of 80 characters', [{ id: 'a', type: 'radio', label: 'A', options: options(2, 'x'.repeat(80)) }], PAGE],
  ['an own option', [{ id: 'a', type: 'radio', label: 'A', other: true, options: options(2) }], PAGE],
  ['a secret', [{ id: 'a', type: 'secret', label: 'A' }], PAGE],
  ['a file', [{ id: 'a', type: 'file', label: 'A' }], PAGE],
  ['two days', [{ id: 'a', type: 'daterange', label: 'A' }], PAGE],
  ['a field that depends on another', [text(), text({ id: 'b', when: { field: 'name', is: 'x' } })], PAGE],
  ['a start value of 3,001 characters', [text({ defaultValue: 'x'.repeat(3_001) })], PAGE],
  ['a choice with a placeholder of 151 characters', [choice({ placeholder: 'x'.repeat(151) })], PAGE],
  ['a choice with a placeholder of 150 characters', [choice({ placeholder: 'x'.repeat(150) })], FORM],
  ['an amount whose label is too long with its currency', [amount('x'.repeat(1_995))], PAGE],
  ['an amount whose label fits with its currency', [amount('x'.repeat(1_994))], FORM],
  ['a start time before 2001', [{ id: 'a', type: 'datetime', label: 'A', defaultValue: '1999-01-01T00:00:00Z' }], PAGE],
  ['a start time of today', [{ id: 'a', type: 'datetime', label: 'A', defaultValue: '2026-12-24T18:00:00Z' }], FORM],
  ['texts of the full length', [text({ label: 'x'.repeat(2_000), description: 'x'.repeat(2_000) })], FORM],
  ['45 fields', Array.from({ length: 45 }, (_, n) => text({ id: `f${n}`, label: `F ${n}` })), FORM],
  ['46 fields', Array.from({ length: 46 }, (_, n) => text({ id: `f${n}`, label: `F ${n}` })), PAGE],
])('a form with %s has the buttons that Slack can serve', async (_name, fields, expected) => {
  const { actions, open, slack } = await asked({ fields })
  expect(actions()).toEqual(expected)
  if (expected !== FORM) return
  await open()
  expect(slack.modal()?.view.blocks.filter(({ type }) => type === 'input')).toHaveLength(fields.length)
})

test.each([
  ['high', PAGE],
  ['medium', PAGE],
  ['low', FORM],
])('a form with %s risk is shown as a modal only if the risk is low', async (risk, expected) => {
  const { actions } = await asked({ risk, fields: [text()] })
  expect(actions()).toEqual(expected)
})

test('each kind of field shows its default value and returns it unchanged', async () => {
  const many = options(12)
  const { open, send, slack, asking } = await asked({
    fields: [
      text({ defaultValue: 'Ada' }),
      { id: 'note', type: 'textarea', label: 'Note', defaultValue: 'one\ntwo', maxLength: 5_000 },
      { id: 'mail', type: 'email', label: 'Mail', defaultValue: 'ada@example.com' },
      { id: 'site', type: 'url', label: 'Site', defaultValue: 'https://example.com/' },
      { id: 'phone', type: 'phone', label: 'Phone', defaultValue: '+49301234567' },
      { id: 'copies', type: 'integer', label: 'Copies', defaultValue: 3, minimum: 1 },
      { id: 'weight', type: 'number', label: 'Weight', defaultValue: 1.5 },
      { id: 'price', type: 'money', label: 'Price', currency: 'EUR', defaultValue: 9.5 },
      { id: 'day', type: 'date', label: 'Day', defaultValue: '2026-12-24' },
      { id: 'when', type: 'datetime', label: 'When' },
      { id: 'agree', type: 'checkbox', label: 'Agree', defaultValue: true },
      { id: 'wrap', type: 'checkbox', label: 'Wrap' },
      { id: 'size', type: 'radio', label: 'Size', options: options(3), defaultValue: options(3)[1]?.value },
      { id: 'color', type: 'select', label: 'Color', options: many, defaultValue: many[11]?.value },
      { id: 'extras', type: 'multiselect', label: 'Extras', options: options(3), defaultValue: [options(3)[0]?.value] },
      { id: 'tags', type: 'multiselect', label: 'Tags', options: many },
    ],
  })
  await open()
  expect(slack.form!.values()).toMatchObject({
    'Price (EUR)': expect.stringMatching(/^9\.50?$/),
    Copies: '3',
    Day: '2026-12-24',
    Color: 'Option 11',
  })
  expect(await send({ When: '2026-12-24T18:00:00Z', Tags: 'Option 3, Option 4' })).toEqual({ closed: true })
  expect(await asking).toMatchObject({
    outcome: 'submitted',
    input: {
      ...{
        name: 'Ada',
        note: 'one\ntwo',
        mail: 'ada@example.com',
        site: 'https://example.com/',
        phone: '+49301234567',
      },
      ...{ copies: 3, weight: 1.5, price: 9.5, day: '2026-12-24', when: expect.stringMatching(/^2026-12-24T18:00/) },
      ...{ agree: true, wrap: false, size: options(3)[1]?.value, color: many[11]?.value },
      ...{ extras: [options(3)[0]?.value], tags: [many[3]?.value, many[4]?.value] },
    },
  })
})

test('a required box can stay unticked, unless it has to be ticked', async () => {
  const box = (id: string, rest: object) => ({ id, type: 'checkbox', label: id, required: true, ...rest })
  const { open, slack } = await asked({ fields: [box('newsletter', {}), box('terms', { const: true })] })
  await open()
  const inputs = slack.modal()?.view.blocks.filter(({ type }) => type === 'input')
  expect(inputs?.map(({ optional }) => optional)).toEqual([true, false])
})

test('a form can be declined in the message', async () => {
  const { holdpoint, slack, asking } = await asked({ fields: [text({ required: true })] })
  await holdpoint.fetch(slack.signedPayload(slack.pressOf('ada', 'ada', 'holdpoint.decline')))
  expect(await asking).toMatchObject({ outcome: 'declined' })
})

test('a modal contains the question in its metadata, and a changed digest shows the form again and answers nothing', async () => {
  const { holdpoint, slack, open } = await asked({ fields: [text()] })
  await open()
  const { view } = slack.modal()!
  const metadata = JSON.parse(view.private_metadata ?? '')
  expect(metadata).toMatchObject({ sessionId: 'chat', shownDigest: expect.stringMatching(/.{20}/) })
  const payload = (private_metadata: string) =>
    slack.signedPayload({
      ...{ type: 'view_submission', user: { id: 'Uada', team_id: 'T1' } },
      view: { id: 'V1', callback_id: view.callback_id, private_metadata, state: slack.modal()!.state() },
    })
  const changed = await holdpoint.fetch(payload(JSON.stringify({ ...metadata, shownDigest: 'other' })))
  expect(await slack.form!.take(changed)).toEqual({ notice: expect.stringContaining('changed since it was shown') })
  for (const broken of ['', 'null', '{}', '[1]', '{"tenant":1}']) {
    const reply = await slack.form!.take(await holdpoint.fetch(payload(broken)))
    expect(reply.notice).toBeDefined()
  }
  const { interactionId } = metadata
  expect(await holdpoint.interactions.get({ sessionId: 'chat', interactionId })).toMatchObject({ status: 'open' })
})

test.each([
  ['en', 'Answer', 'Decline', 'Review and answer', 'Send'],
  ['de-DE', 'Antworten', 'Keine Angabe machen', 'Ansehen und antworten', 'Senden'],
  ['ar', 'الرد', undefined, 'المراجعة والرد', undefined],
  ['es-ES', 'Responder', undefined, 'Revisar y responder', undefined],
  ['fr-FR', 'Répondre', undefined, 'Examiner et répondre', undefined],
  ['ja-JP', '回答する', undefined, '確認して回答する', undefined],
  ['zh-CN', '回答', undefined, '查看并回答', undefined],
  ['tlh', 'Answer', 'Decline', 'Review and answer', 'Send'],
])(
  'the texts of a modal are in the language of the recipient: %s',
  async (language, answer, decline, review, submit) => {
    const { open, send, slack, asking } = await asked({ fields: [text({ required: true })] }, { language })
    const buttons = slack.posts[0]!.blocks.flatMap(({ elements = [] }) => elements) as never as {
      text: { text: string }
    }[]
    const [first, second, third] = buttons.map((button) => button.text.text)
    expect([first, third]).toEqual([answer, review])
    if (decline) expect(second).toBe(decline)
    await open()
    if (submit) expect(slack.modal()?.view.submit?.text).toBe(submit)
    const { errors } = await send({ Name: '' })
    const english = 'This field needs an answer.'
    if (!['en', 'tlh'].includes(language)) expect(errors?.Name).not.toBe(english)
    expect(errors?.Name).toBeTruthy()
    expect(await send({ Name: 'Ada' })).toEqual({ closed: true })
    await asking
    await vi.waitFor(() => expect(slack.messages()[0]?.outcome).toBeTruthy(), LIMIT)
    const told = slack.messages()[0]?.outcome
    if (!['en', 'tlh'].includes(language)) expect(told).not.toMatch(/^You /)
  },
)

test('a reprompt shows the earlier input, and the error of the tool at its field', () => {
  const record = {
    ...{
      interactionId: 'q2',
      tenant: '',
      sessionId: 'chat',
      kind: 'input',
      toolName: 'invite',
      names: { tool: 'Invite', integrations: {} },
    },
    request: {
      ...{
        type: 'interaction_request',
        prompt: 'Whom?',
        error: 'Try again.',
        initialValues: { mail: 'ada@exmaple.com' },
      },
      fieldErrors: { mail: ['No mail server answers for this address.'] },
      inputSchema: { type: 'form', fields: [{ id: 'mail', type: 'email', label: 'Mail' }] },
    },
  } as unknown as InteractionRecord
  const { blocks } = formModal(record, messageLanguage('en'))
  expect(blocks).toMatchObject([
    { text: { text: '⚠ Try again.' } },
    { text: { text: 'Whom?' } },
    { type: 'input', element: { initial_value: 'ada@exmaple.com' } },
    { text: { text: '⚠ No mail server answers for this address.' } },
  ])
})
