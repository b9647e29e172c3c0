import { memoryStore } from '@holdpoint/server/memory'
import { expect, onTestFinished, test, vi } from 'vitest'
import { world } from './support.ts'

const ADA = { cookie: 'user=ada' }
const BOB = { cookie: 'user=bob' }

test('a GET or HEAD of a link answers nothing, however often it is repeated [P1.1]', async () => {
  const { holdpoint, approval, linked, get } = world()
  const { question } = await approval()
  const url = await linked(question.interactionId)
  for (let n = 0; n < 20; n++) await get(`${url}?action=approve&answerId=a${n}`)
  await holdpoint.fetch(
    new Request(url.replace('/holdpoint', ''), { method: 'HEAD', headers: { host: 'app.example.com' } }),
  )
  const { interactionId } = question
  expect(await holdpoint.interactions.get({ interactionId, sessionId: 'chat' })).toMatchObject({ status: 'open' })
})

test('a link that another signed-in user opens shows and answers nothing [P2.1]', async () => {
  const { approval, linked, get, post, hidden } = world()
  const { question } = await approval()
  const url = await linked(question.interactionId)
  const own = await (await get(url)).text()
  for (const reply of [await get(url, BOB), await post(url, { ...hidden(own), action: 'approve' }, BOB)]) {
    expect(reply.status).toBe(403)
    expect(await reply.text()).not.toMatch(/Delete 3 files|a\.md|<form/)
  }
})

test('a link belongs to one interaction and to a user who may answer it [P2.2]', async () => {
  const { holdpoint, approval } = world()
  const { question } = await approval({ audience: ['bob'] })
  const { interactionId } = question
  await expect(holdpoint.links.create({ interactionId, userId: 'eve' })).rejects.toThrow(/neither the owner .* nor/)
  await expect(holdpoint.links.create({ interactionId: 'other', userId: 'ada' })).rejects.toThrow(/does not exist/)
  await expect(holdpoint.links.create({ interactionId, userId: 'ada', tenant: 'x' })).rejects.toThrow(/does not exist/)
  await expect(holdpoint.links.create({ interactionId, userId: 'ada', expiresInMs: 0 })).rejects.toThrow(/positive/)
  const { token } = await holdpoint.links.create({ interactionId, userId: 'bob', name: 'Bob' })
  expect(await holdpoint.links.open(token)).toEqual({
    principal: { userId: 'bob', name: 'Bob' },
    sessionId: 'chat',
    interactionId,
  })
})

test('a guessed, expired, revoked or erased link shows nothing [P3.1]', async () => {
  const { holdpoint, approval, linked, get, post, hidden } = world()
  const { question } = await approval({ audience: ['bob'] })
  const { interactionId } = question
  const dead = async (url: string) => {
    const reply = await get(url)
    expect(reply.status).toBe(404)
    const page = await reply.text()
    expect(page).not.toContain('Delete 3 files')
    expect(page).toContain('<h1>This question cannot be opened. The link may have expired.</h1>')
  }
  const url = await linked(interactionId)
  const form = { ...hidden(await (await get(url)).text()), action: 'approve' }
  await dead(`${url}x`)
  await dead(url.replace(/[^/]*$/, 'AAAA'))
  expect(await holdpoint.links.revoke({ interactionId, userId: 'bob' })).toBe(0)
  expect(await holdpoint.links.revoke({ interactionId, userId: 'ada' })).toBe(1)
  await dead(url)
  expect((await post(url, form)).status).toBe(404)
  const bobs = await holdpoint.links.create({ interactionId, userId: 'bob' })
  await holdpoint.eraseUser({ userId: 'bob' })
  expect(await holdpoint.links.open(bobs.token)).toBeNull()
  const { token } = await holdpoint.links.create({ interactionId, userId: 'ada', expiresInMs: 1 })
  await new Promise((resolve) => setTimeout(resolve, 5))
  expect(await holdpoint.links.open(token)).toBeNull()
})

test('a link that is revoked while the body of its answer arrives answers nothing [P3.4]', async () => {
  const { holdpoint, approval, linked, get, hidden } = world()
  const { interactionId } = (await approval()).question
  const url = await linked(interactionId)
  const form = new URLSearchParams({ ...hidden(await (await get(url)).text()), action: 'approve' })
  let finish = () => {}
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      finish = () => {
        controller.enqueue(new TextEncoder().encode(form.toString()))
        controller.close()
      }
    },
  })
  const headers = {
    ...{ host: 'app.example.com', origin: 'null', 'sec-fetch-site': 'same-origin' },
    'content-type': 'application/x-www-form-urlencoded',
  }
  const init = { method: 'POST', headers, body, duplex: 'half' } as RequestInit
  const reply = holdpoint.fetch(new Request(url.replace('/holdpoint', ''), init))
  await new Promise((resolve) => setTimeout(resolve, 2_050))
  await holdpoint.links.revoke({ interactionId })
  finish()
  expect((await reply).status).toBe(404)
  expect((await holdpoint.interactions.get({ interactionId }))?.status).toBe('open')
})

test('a flood with a link gets 429 when it reads or answers, and does not limit the user of the link [T30.5]', async () => {
  const { approval, linked, pages, get, post } = world({ http: { rateLimit: { burst: 3, perSecond: 0.001 } } })
  const { interactionId } = (await approval()).question
  const url = await linked(interactionId)
  for (let n = 0; n < 3; n++) expect((await get(url)).status).toBe(200)
  expect([(await get(url)).status, (await post(url, { action: 'deny', answerId: 'a' })).status]).toEqual([429, 429])
  expect((await get(pages.url({ sessionId: 'chat', interactionId }), ADA)).status).toBe(200)
})

test.each([
  ['a brace', '{'],
  ['half of an object', '{"action":'],
  ['deep lists', `{"action":${'['.repeat(20_000)}${']'.repeat(20_000)}}`],
])('a posted form that begins like JSON, with %s, is read as a form and answers nothing', async (_what, body) => {
  const { holdpoint, approval, linked, logged } = world()
  const { interactionId } = (await approval()).question
  const headers = {
    ...{ host: 'app.example.com', origin: 'null', 'sec-fetch-site': 'same-origin' },
    'content-type': 'application/x-www-form-urlencoded',
  }
  const request = new Request((await linked(interactionId)).replace('/holdpoint', ''), {
    method: 'POST',
    headers,
    body,
  })
  expect((await holdpoint.fetch(request)).status).toBe(400)
  expect(JSON.stringify(logged)).not.toContain('A request failed')
})

test('a page in development is served under the host of its address and under no other name', async () => {
  vi.stubEnv('NODE_ENV', 'development')
  onTestFinished(() => void vi.unstubAllEnvs())
  const { approval, linked, get } = world()
  const { question } = await approval()
  const url = await linked(question.interactionId)
  expect((await get(url)).status).toBe(200)
  expect((await get(url, { host: 'evil.example' })).status).toBe(403)
})

test('a page is shown in frames of its own origin only if the host allows it, and never in others [P3.3]', async () => {
  const { approval, linked, get } = world({}, { allowFramed: true })
  const { question } = await approval()
  const { headers } = await get(await linked(question.interactionId))
  expect(headers.get('x-frame-options')).toBe('SAMEORIGIN')
  expect(headers.get('content-security-policy')).toMatch(/; frame-ancestors 'self'$/)
})

test('a token is in no log, no stored row and no Referer, and the page is in no cache and no frame [P3.2]', async () => {
  const store = memoryStore()
  const { holdpoint, approval, get, pages, logged } = world({ store })
  const { question } = await approval()
  const { token } = await holdpoint.links.create({ interactionId: question.interactionId, userId: 'ada' })
  const reply = await get(pages.linkUrl({ token }))
  expect(await reply.text()).not.toContain(token)
  expect(Object.fromEntries(reply.headers)).toMatchObject({
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-store',
    'x-frame-options': 'DENY',
    'content-security-policy': expect.stringMatching(
      /^default-src 'none'; style-src 'nonce-[\w-]{22}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'$/,
    ),
  })
  expect(JSON.stringify(logged)).not.toContain(token)
  expect(JSON.stringify(await store.list('s//chat', 'link'))).not.toContain(token)
})

test('a form on another site posts nothing, with or without the cookie of the user [P4.1]', async () => {
  const { holdpoint, approval, linked, pages, get, post, hidden } = world()
  const { question } = await approval()
  const { interactionId } = question
  const byLogin = pages.url({ sessionId: 'chat', interactionId })
  const form = { ...hidden(await (await get(byLogin, ADA)).text()), action: 'approve' }
  const foreign = [
    { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' },
    { origin: 'null', 'sec-fetch-site': 'cross-site' },
    { origin: 'null', 'sec-fetch-site': 'same-site' },
  ]
  for (const headers of foreign) {
    expect((await post(byLogin, form, { ...headers, ...ADA })).status).toBe(403)
    expect((await post(await linked(interactionId), form, headers)).status).toBe(403)
  }
  const json = await post(byLogin, form, { 'content-type': 'application/json', ...ADA })
  expect(json.status).toBe(415)
  expect((await holdpoint.interactions.get({ interactionId }))?.status).toBe('open')
})

test('an approval with the digest of another rendering is rejected, and the question is shown again [P4.2]', async () => {
  const { approval, linked, get, post, hidden } = world()
  const { question } = await approval()
  const url = await linked(question.interactionId)
  const form = { ...hidden(await (await get(url)).text()), action: 'approve' }
  for (const shownDigest of ['x'.repeat(32), '']) {
    const reply = await post(url, { ...form, shownDigest })
    expect([409, 400]).toContain(reply.status)
    expect(await reply.text()).toContain('Delete 3 files?')
  }
  expect((await post(url, form)).status).toBe(303)
})

test('a form with the digest of another rendering is shown again, and a decline needs no digest', async () => {
  const { session, human, linked, get, post, hidden } = world()
  const fields = [{ id: 'code', type: 'text', label: 'Code' }] as const
  const asking = session
    .toolCall({ runId: 'r', toolCallId: 'form', toolName: 'ask' })
    .tryAsk({ prompt: 'Code?', fields })
  const { interactionId } = await human.next()
  const url = await linked(interactionId)
  const form = { ...hidden(await (await get(url)).text()), 'f.code': '1' }
  for (const shownDigest of ['x'.repeat(32), '']) {
    expect([409, 400]).toContain((await post(url, { ...form, action: 'submit', shownDigest })).status)
  }
  expect((await post(url, { ...form, action: 'decline', shownDigest: 'x'.repeat(32) })).status).toBe(303)
  expect(await asking).toMatchObject({ outcome: 'declined' })
})

const high = { risk: 'high' as const }
const secret = { prompt: 'Card?', fields: [{ id: 'card', type: 'secret' as const, label: 'Card number' }] }

test('high risk and secret fields require the login, also with a link, unless the host allows the link [P5.1]', async () => {
  const { approval, session, human, linked, get, post, hidden } = world(
    {},
    { signInUrl: (page) => `/login?to=${page}` },
  )
  const { asking, question } = await approval(high)
  const url = await linked(question.interactionId)
  const refused = await get(url)
  expect(refused.status).toBe(401)
  const page = await refused.text()
  expect(page).toContain('/login?to=https://app.example.com/holdpoint/sessions/chat/answer/')
  expect(page).not.toContain('Delete 3 files')
  expect((await post(url, { answerId: 'a', action: 'approve' })).status).toBe(401)
  const form = { ...hidden(await (await get(url, ADA)).text()), action: 'approve' }
  expect((await post(url, form, ADA)).status).toBe(303)
  expect(await asking).toMatchObject({ outcome: 'approved' })
  void session.toolCall({ runId: 'r', toolCallId: 's', toolName: 'pay' }).tryAsk(secret)
  const form2 = await linked((await human.next()).interactionId)
  expect((await get(form2)).status).toBe(401)
  const open = world({}, { linkMayAnswer: ['high_risk'] })
  const risky = await open.approval(high)
  expect((await open.get(await open.linked(risky.question.interactionId))).status).toBe(200)
})

test('a secret that was entered is never sent back to the page [P5.2]', async () => {
  const { session, human, linked, get, post, hidden } = world({}, { linkMayAnswer: ['secrets'] })
  const fields = [...secret.fields, { id: 'name', type: 'text' as const, label: 'Name', required: true as const }]
  void session.toolCall({ runId: 'r', toolCallId: 's', toolName: 'pay' }).tryAsk({ prompt: 'Card?', fields })
  const url = await linked((await human.next()).interactionId)
  const page = await (await get(url)).text()
  const reply = await post(url, { ...hidden(page), action: 'submit', 'f.card': '4242424242424242' })
  expect(reply.status).toBe(422)
  expect(await reply.text()).not.toContain('4242')
})

test('a link without a login starts no flow for an account, and its user starts one after a login [P5.4]', async () => {
  const { session, human, linked, get, post, hidden } = world({}, { signInUrl: (page) => `/login?to=${page}` })
  void session.toolCall({ runId: 'r', toolCallId: 'c', toolName: 'post' }).tryConnect({ integrations: ['slack'] })
  const url = await linked((await human.next()).interactionId)
  const form = { ...hidden(await (await get(url, ADA)).text()), connect: 'slack' }
  for (const refused of [await get(url), await post(url, form)]) {
    expect(refused.status).toBe(401)
    expect(await refused.text()).not.toMatch(/slack|accounts\.test/)
  }
  expect(await (await post(url, form, ADA)).text()).toContain('accounts.test')
})

const HOSTILE = `"><script>alert(1)</script>'&\u202e<img src=x onerror=alert(1)>`

test('texts of an agent are escaped in every part of the page [P6.1]', async () => {
  const { approval, session, human, linked, get, post, hidden } = world()
  const { question } = await approval({
    prompt: HOSTILE,
    args: { [HOSTILE]: HOSTILE, list: [HOSTILE], deep: { a: { b: { c: { d: { e: HOSTILE } } } } } },
    labels: { title: HOSTILE, approve: HOSTILE, deny: HOSTILE },
    facts: [{ label: HOSTILE, value: HOSTILE, tone: HOSTILE }],
    requester: { name: HOSTILE },
    scopeLabel: HOSTILE,
    key: 'k',
    diff: [{ path: HOSTILE, hunks: [{ id: 'h', oldStart: 1, newStart: 1, header: HOSTILE, lines: [`+${HOSTILE}`] }] }],
  })
  const option = { value: HOSTILE, label: HOSTILE, description: HOSTILE }
  const asked = ['text', 'textarea', 'select', 'radio', 'multiselect'].map((type) => ({
    ...{ id: `${type}`, type, label: HOSTILE, description: HOSTILE },
    ...(/text/.test(type) ? { placeholder: HOSTILE, defaultValue: HOSTILE } : { options: [option] }),
  }))
  void session
    .toolCall({ runId: 'r', toolCallId: 'f', toolName: 'form' })
    .tryAsk({ prompt: HOSTILE, fields: asked as never })
  const form = await human.next()
  const url = await linked(form.interactionId)
  const page = await (await get(url)).text()
  const wrong = await post(url, {
    ...hidden(page),
    action: 'submit',
    'f.text': HOSTILE,
    'f.select': HOSTILE,
    reason: HOSTILE,
  })
  for (const text of [await (await get(await linked(question.interactionId))).text(), page, await wrong.text()]) {
    expect(text).not.toMatch(/<script|<img|onerror=alert\(1\)>/)
    // Submitted values stay exact; all displayed text shows invisible characters.
    expect(text.replace(/ value="[^"]*"|<textarea.*?<\/textarea>/gs, '')).not.toContain('\u202e')
  }
})

test('a user outside the audience, or of another tenant, sees no page [P6.2]', async () => {
  const { approval, pages, get } = world()
  const { question } = await approval()
  const url = pages.url({ sessionId: 'chat', interactionId: question.interactionId })
  const foreign = await get(url, BOB)
  const unknown = await get(pages.url({ sessionId: 'chat', interactionId: 'nothing' }), BOB)
  expect([foreign.status, await foreign.text()].map(withoutNonce)).toEqual(
    [unknown.status, await unknown.text()].map(withoutNonce),
  )
  expect((await get(url)).status).toBe(401)
})

test.each(['%00', '%ED%A0%80', 'x'.repeat(3_000)])(
  'an address with ids that no interaction can have shows an unknown page, without an error in the log: %#',
  async (id) => {
    const { get, logged } = world()
    const [session, interaction] = await Promise.all([
      get(`https://app.example.com/holdpoint/sessions/a${id}/answer/q`, ADA),
      get(`https://app.example.com/holdpoint/sessions/chat/answer/q${id}`, ADA),
    ])
    expect([session.status, interaction.status]).toEqual([404, 404])
    expect(JSON.stringify(logged)).not.toContain('A request failed')
  },
)

const withoutNonce = (value: unknown) => String(value).replace(/nonce="[\w-]+"/, '')
