import { english } from '@holdpoint/core/messages'
import { memoryStore } from '@holdpoint/server/memory'
import { testClock } from '@holdpoint/server/testing'
import { expect, test } from 'vitest'
import { world } from './support.ts'

const ADA = { cookie: 'user=ada' }

test('a link shows the question, accepts one answer, and then shows only the outcome', async () => {
  const { approval, linked, get, post, hidden } = world()
  const { asking, question } = await approval({ facts: [{ label: 'Cannot be undone', tone: 'danger' }] })
  const url = await linked(question.interactionId)
  const page = await (await get(url)).text()
  expect(page).toContain('Delete 3 files?')
  expect(page).toContain('Cannot be undone')
  expect(page).toContain('a.md')
  const form = { ...hidden(page), action: 'approve' }
  const first = await post(url, form)
  expect([first.status, first.headers.get('location')]).toEqual([303, url])
  expect((await post(url, form)).status, 'a second click or a reload').toBe(303)
  expect(await asking).toMatchObject({ outcome: 'approved', respondedBy: { userId: 'ada', clientId: 'answer-link' } })
  const after = await (await get(url)).text()
  expect(after).toContain('You approved this')
  expect(after).not.toContain('a.md')
  const late = await post(url, { ...form, answerId: 'another', action: 'deny' })
  expect(late.status).toBe(409)
  const lost = await late.text()
  expect(lost).toContain('You approved this')
  expect(lost, 'pressed deny in a second tab').toContain('Your answer did not count')
  const same = await post(url, { ...form, answerId: 'another' })
  expect([same.status, (await same.text()).includes('did not count')], 'pressed approve twice').toEqual([409, false])
  expect(after).not.toContain('did not count')
})

test.each([
  ['another user answers', 'Bob denied this'],
  ['the question is withdrawn', 'The task was stopped'],
])('a person who answers after %s reads that the own answer did not count', async (_name, outcome) => {
  const { holdpoint, approval, linked, get, post, hidden } = world()
  const { asking, question } = await approval({ audience: ['bob'] })
  const { interactionId } = question
  const url = await linked(interactionId)
  const form = { ...hidden(await (await get(url)).text()), action: 'approve' }
  if (outcome.startsWith('Bob')) {
    await holdpoint.answer({
      ...{ principal: { userId: 'bob', name: 'Bob' }, sessionId: 'chat', interactionId },
      ...{ answerId: 'b', clientId: 'c', answer: { action: 'deny' } },
    })
  } else await holdpoint.cancelInteraction(interactionId)
  await asking
  const page = await (await post(url, form, { 'accept-language': 'en' })).text()
  expect(page).toContain(outcome)
  expect(page).toContain('Your answer did not count, because this question had already ended.')
})

test('the page names tools and accounts in words, as the cards do', async () => {
  const { session, human, linked, approval, get } = world({}, { linkMayAnswer: ['accounts'] })
  const { question } = await approval()
  expect(await (await get(await linked(question.interactionId))).text()).toContain('Approval needed · Delete files')
  const call = session.toolCall({ runId: 'r', toolCallId: 'c', toolName: 'post_report' })
  void call.tryConnect({ integrations: ['google-calendar'] })
  const page = await (await get(await linked((await human.next()).interactionId))).text()
  expect(page).toContain('Connect Google Calendar')
  expect(page).toContain('Post report')
  expect(page).not.toMatch(/post_report|>[^<]*google-calendar/)
})

test.each([
  [{}, 'Answer within 5 minutes'],
  [{ answerableLater: true }, 'The assistant continues in 5 minutes. You can answer later.'],
])('the page names the deadline, and whether the question stays answerable: %j', async (more, words) => {
  const { approval, linked, get } = world()
  const { question } = await approval({ timeoutMs: 300_000, ...more })
  expect(await (await get(await linked(question.interactionId))).text()).toContain(words)
})

test('the page of a question whose tool has continued names no deadline, and its answer starts a new turn', async () => {
  const followUps: object[] = []
  const clock = testClock()
  const { holdpoint, session, human, linked, get, post, hidden } = world({
    ...{ store: memoryStore({ now: clock.now }), environment: clock.environment },
    hooks: { onFollowUp: (delivery) => void followUps.push(delivery) },
  })
  const asked = session.toolCall({ runId: 'r', toolCallId: 'c', toolName: 'deploy' }).requestInteraction({
    ...{ type: 'approval', prompt: 'Deploy?', timeoutMs: 60_000, answerableLater: true, whenUnavailable: 'wait' },
    onResponse: ({ action }) => ({ complete: action }),
    onTimeout: () => ({ pending: { message: 'The question is still open.' } }),
  })
  const question = await human.next()
  const url = await linked(question.interactionId)
  await human.advance('2m')
  expect(await asked).toMatchObject({ pending: true })
  const page = await (await get(url)).text()
  expect(page).toContain('Deploy?')
  expect(page).not.toMatch(/Answer within|assistant continues/)
  expect((await post(url, { ...hidden(page), action: 'approve' })).status).toBe(303)
  await holdpoint.tick()
  await expect.poll(() => followUps).toMatchObject([{ sessionId: 'chat' }])
})

test('one of 50 pages that are answered at once wins, and each response shows the outcome', async () => {
  const { approval, linked, get, post, hidden } = world({}, {})
  const { asking, question } = await approval()
  const url = await linked(question.interactionId)
  const pages = await Promise.all(Array.from({ length: 50 }, async () => (await get(url)).text()))
  const replies = await Promise.all(
    pages.map((page, n) => post(url, { ...hidden(page), action: n % 2 ? 'approve' : 'deny' })),
  )
  expect(replies.filter(({ status }) => status === 303)).toHaveLength(1)
  expect(replies.filter(({ status }) => status === 409)).toHaveLength(49)
  const winner = replies.findIndex(({ status }) => status === 303)
  expect(await asking).toMatchObject({ outcome: winner % 2 ? 'approved' : 'denied' })
})

test('a signed-in user answers with a scope and a reason, and an audience sees that another user answered', async () => {
  const { approval, pages, get, post, hidden } = world()
  const { asking, question } = await approval({ scopes: ['once', 'session'], rememberAs: 'k', audience: ['bob'] })
  const url = pages.url({ sessionId: 'chat', interactionId: question.interactionId })
  const page = await (await get(url, ADA)).text()
  const form = { ...hidden(page), action: 'approve', scope: 'session', reason: 'They are copies.' }
  expect((await post(url, form, ADA)).status).toBe(303)
  expect(await asking).toMatchObject({ outcome: 'approved', scope: 'session', reason: 'They are copies.' })
  expect(await (await get(url, { cookie: 'user=bob' })).text()).toContain('Another user approved this')
})

const fields = [
  { id: 'name', type: 'text', label: 'Name', required: true, maxLength: 5 },
  { id: 'notes', type: 'textarea', label: 'Notes' },
  { id: 'mail', type: 'email', label: 'Mail' },
  { id: 'site', type: 'url', label: 'Site' },
  { id: 'copies', type: 'integer', label: 'Copies', minimum: 1, defaultValue: 2 },
  { id: 'price', type: 'number', label: 'Price' },
  { id: 'day', type: 'date', label: 'Day' },
  { id: 'at', type: 'datetime', label: 'At' },
  { id: 'gift', type: 'checkbox', label: 'Gift' },
  { id: 'size', type: 'select', label: 'Size', options: [{ value: 's', label: 'Small' }] },
  {
    id: 'color',
    type: 'radio',
    label: 'Color',
    options: [
      { value: 'r', label: 'Red' },
      { value: 'b', label: 'Blue' },
    ],
  },
  {
    id: 'extras',
    type: 'multiselect',
    label: 'Extras',
    options: [
      { value: 'x', label: 'X' },
      { value: 'y', label: 'Y' },
    ],
  },
] as const

test('a form with every field type is answered, and its errors name their fields and keep the input', async () => {
  const { session, human, linked, get, post, hidden } = world()
  const asking = session
    .toolCall({ runId: 'r', toolCallId: 'c', toolName: 'order' })
    .tryAsk({ prompt: 'Where to?', fields: fields as never })
  const { interactionId } = await human.next()
  const url = await linked(interactionId)
  const page = await (await get(url)).text()
  for (const { label } of fields) expect(page).toContain(label)
  const typed: [string, string][] = [
    ['f.name', 'Grace Hopper'],
    ['f.notes', 'one\r\ntwo'],
    ['f.mail', 'ada@example.com'],
    ['f.site', 'https://example.com'],
    ['f.copies', '3'],
    ['f.price', '2.5'],
    ['f.day', '2026-11-19'],
    ['f.at', '2026-11-19T09:30'],
    ['f.gift', 'true'],
    ['f.size', 's'],
    ['f.color', 'b'],
    ['f.extras', 'x'],
    ['f.extras', 'y'],
    ['action', 'submit'],
  ]
  const wrong = await post(url, [...Object.entries(hidden(page)), ...typed], { 'accept-language': 'de' })
  expect(wrong.status).toBe(422)
  const again = await wrong.text()
  expect(again).toMatch(/id="f\.name-e">[^<]*5/)
  expect(again).toContain('aria-invalid="true"')
  for (const kept of ['Grace Hopper', '2026-11-19T09:30', 'value="b" checked', 'value="y" checked', 'one\ntwo']) {
    expect(again).toContain(kept)
  }
  const right = typed.map(([name, value]): [string, string] => [name, name === 'f.name' ? 'Grace' : value])
  expect((await post(url, [...Object.entries(hidden(again)), ...right])).status).toBe(303)
  expect(await asking).toMatchObject({
    outcome: 'submitted',
    input: {
      ...{ name: 'Grace', notes: 'one\ntwo', mail: 'ada@example.com', site: 'https://example.com', copies: 3 },
      ...{ price: 2.5, day: '2026-11-19', gift: true, size: 's', color: 'b', extras: ['x', 'y'] },
    },
  })
})

test('a request for accounts starts the flow and shows which accounts are connected', async () => {
  const { session, human, accounts, holdpoint, linked, get, post, hidden } = world({}, { linkMayAnswer: ['accounts'] })
  const asking = session
    .toolCall({ runId: 'r', toolCallId: 'c', toolName: 'post' })
    .tryConnect({ integrations: ['slack', 'github'], reason: 'To post the summary' })
  const { interactionId } = await human.next()
  const url = await linked(interactionId)
  const page = await (await get(url)).text()
  const started = await post(url, { ...hidden(page), connect: 'slack' })
  const flow = await started.text()
  expect(flow).toMatch(
    /<a class="button primary" href="https:&#47;|<a class="button primary" href="https:\/\/accounts\.test/,
  )
  expect(flow).toContain('accounts.test')
  for (const integration of ['slack', 'github']) {
    accounts.set({ userId: 'ada' }, integration)
    await holdpoint.accounts.changed({ userId: 'ada', integration })
    const now = await (await get(url)).text()
    expect(now).toContain(integration === 'slack' ? english.connected : english.allConnected)
    // The outcome names no account, so the page of a settled question lists them.
    const listed = [...now.matchAll(/<bdi>(\w+)<\/bdi>: <span class="good">(\w+)/g)].map(([, ...row]) => row.join(' '))
    expect(listed).toEqual(integration === 'slack' ? ['Slack Connected'] : ['Slack Connected', 'Github Connected'])
  }
  expect(await asking).toMatchObject({ outcome: 'connected' })
})

test.each([
  ['de', 'ltr', 'Freigabe nötig'],
  ['ar-EG,en;q=0.5', 'rtl', 'dir="rtl"'],
  ['fr', 'ltr', 'Votre accord est nécessaire'],
  ['zh-CN', 'ltr', '需要批准'],
  ['sv', 'ltr', 'Approval needed'],
  [`${'x,'.repeat(5_000)}`, 'ltr', 'Approval needed'],
])('a page in %.12s has its text direction and its translation', async (accepted, direction, text) => {
  const { approval, linked, get } = world()
  const { question } = await approval()
  const page = await (await get(await linked(question.interactionId), { 'accept-language': accepted })).text()
  expect(page).toContain(`dir="${direction}"`)
  expect(page).toContain(text)
})

test('a reprompt is answered under its own address, and the old address shows that the first question is answered', async () => {
  const { session, human, linked, get, post, hidden } = world()
  const asking = session.toolCall({ runId: 'r', toolCallId: 'c', toolName: 't' }).requestInteraction({
    type: 'input',
    prompt: 'Which code?',
    inputSchema: [{ id: 'code', type: 'text', label: 'Code' }],
    whenUnavailable: 'wait',
    onResponse: (_answer, { attempt }) =>
      attempt === 1 ? { reprompt: { error: 'That was not it.' } } : { complete: 1 },
  })
  const first = await human.next()
  human.ignore(first)
  const url = await linked(first.interactionId)
  expect((await post(url, { ...hidden(await (await get(url)).text()), action: 'submit', 'f.code': '1' })).status).toBe(
    303,
  )
  expect(await (await get(url)).text()).toContain('You answered this')
  const second = await human.next()
  const next = await linked(second.interactionId)
  const page = await (await get(next)).text()
  expect(page).toContain('That was not it.')
  expect((await post(next, { ...hidden(page), action: 'submit', 'f.code': '2' })).status).toBe(303)
  expect(await asking).toBe(1)
})

test.each([
  ['expired', english.expired],
  ['cancelled', english.cancelled],
  ['superseded', english.superseded],
] as const)('an interaction that is %s shows its outcome', async (how, text) => {
  const { holdpoint, session, approval, linked, get } = world()
  const { asking, question } = await approval(how === 'expired' ? { timeoutMs: 300 } : {})
  const url = await linked(question.interactionId)
  if (how === 'cancelled') await holdpoint.cancelInteraction(question.interactionId)
  if (how === 'superseded') await session.declineWaiting()
  await asking
  expect(await (await get(url)).text()).toContain(text)
})
