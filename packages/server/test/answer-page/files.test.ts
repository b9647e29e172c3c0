import { say } from '@holdpoint/core/internal'
import { english } from '@holdpoint/core/messages'
import { german } from '@holdpoint/core/messages/de'
import { limits } from '@holdpoint/core/protocol'
import { memoryStore } from '@holdpoint/server/memory'
import { expect, test, vi } from 'vitest'
import { engineOf } from '../../src/http/mounted.ts'
import { asked, carriedBy, decoded, type Entry, FIELDS, file, keptIn } from './with-files.ts'

test('a form with files is answered with one post, and the tool reads the bytes', async () => {
  const { context, asking, page, send } = await asked()
  expect(page).toMatch(/<form method="post" enctype="multipart\/form-data"/)
  expect(page).toMatch(/<input type="file" id="f\.doc" name="f\.doc" accept="\.txt,image\/\*">/)
  expect(page).toMatch(/<input type="file" id="f\.more" name="f\.more" multiple>/)
  const reply = await send(page, 'submit', [
    ['f.title', 'Übersicht\r\n"1"'],
    ['f.doc', file('Bericht "1".txt', 'Hallo')],
    ['f.more', file('a.bin', 3, 'application/x-a')],
    ['f.more', file('b.bin', 4, '')],
  ])
  expect(reply.status).toBe(303)
  const outcome = await asking
  expect(outcome).toMatchObject({
    outcome: 'submitted',
    input: {
      title: 'Übersicht\r\n"1"',
      doc: { name: 'Bericht "1".txt', size: 5, type: 'text/plain' },
      more: [
        { name: 'a.bin', size: 3 },
        { name: 'b.bin', size: 4, type: 'application/octet-stream' },
      ],
    },
  })
  const { doc } = (outcome as unknown as { input: { doc: { handle: string } } }).input
  expect(new TextDecoder().decode((await context.upload(doc.handle)).bytes)).toBe('Hallo')
})

test('errors are shown at their fields, and the next page keeps the texts and the files that were uploaded', async () => {
  const { asking, page, send, uploads, status } = await asked()
  const wrong = await send(page, 'submit', [
    ['f.title', ''],
    ['f.doc', file('virus.exe', 'x', 'application/x-exe')],
    ['f.more', file('a.bin', 3)],
  ])
  expect([wrong.status, await status(), await uploads()]).toEqual([422, 'open', 1])
  expect(decoded(wrong.page)).toContain(say(english.uploadWrongType, { name: 'virus.exe', accepted: '.txt, image/*' }))
  expect(wrong.page).toContain('id="f.title-e"')
  expect(keptIn(wrong.page)).toEqual(['a.bin'])
  const large = await send(wrong.page, 'submit', [
    ['f.title', 'Kept & "safe"'],
    ['f.doc', file('big.txt', 1_001)],
  ])
  expect([large.status, await status()]).toEqual([422, 'open'])
  expect(large.page).toContain(say(english.uploadTooLarge, { name: 'big.txt', limit: '1 kB' }))
  expect(decoded(large.page)).toContain('value="Kept & "safe""')
  expect(keptIn(large.page)).toEqual(['a.bin'])
  expect(
    (
      await send(large.page, 'submit', [
        ['f.title', 'T'],
        ['f.doc', file('ok.txt', 1_000)],
      ])
    ).status,
  ).toBe(303)
  expect(await asking).toMatchObject({ input: { doc: { name: 'ok.txt' }, more: [{ name: 'a.bin' }] } })
})

test('the errors of files are in the language of the page', async () => {
  const { page, send } = await asked()
  const large = await send(page, 'submit', [['f.doc', file('groß.txt', 1_500)]], { 'accept-language': 'de' })
  expect(decoded(large.page)).toContain(say(german.uploadTooLarge, { name: 'groß.txt', limit: '1 kB' }))
})

test('a file that is no longer ticked is not sent, and another file for a field with one file replaces it', async () => {
  const { asking, page, send, uploads } = await asked()
  const first = await send(page, 'submit', [
    ['f.doc', file('one.txt')],
    ['f.more', file('a')],
    ['f.more', file('b')],
  ])
  expect([first.status, keptIn(first.page)]).toEqual([422, ['one.txt', 'a', 'b']])
  const without = first.page.replace(/<label class="choice"><input type="checkbox" name="f\.more"[^>]*>/, '')
  const reply = await send(without, 'submit', [
    ['f.title', 'T'],
    ['f.doc', file('two.txt')],
  ])
  expect([reply.status, await uploads()]).toEqual([303, 3])
  expect(await asking).toMatchObject({ input: { doc: { name: 'two.txt' }, more: [{ name: 'b' }] } })
})

test('a required file that is missing is reported, and an optional one is not', async () => {
  const { page, send, status } = await asked()
  const none = file('', 0, 'application/octet-stream')
  const reply = await send(page, 'submit', [
    ['f.title', 'T'],
    ['f.doc', none],
    ['f.more', none],
  ])
  expect([reply.status, await status()]).toEqual([422, 'open'])
  expect(reply.page).toContain('id="f.doc-e"')
  expect(reply.page).not.toContain('id="f.more-e"')
})

test('a form is refused as a whole if its texts are larger than a message may be', async () => {
  const { page, send, status } = await asked()
  const reply = await send(page, 'submit', [['f.title', 'x'.repeat(limits.messageBytes)]])
  expect([reply.status, await status()]).toEqual([413, 'open'])
  expect(reply.page).toContain('<form method="post"')
})

test('a body that no form of this question can have is refused before it is read [P7.2]', async () => {
  const { holdpoint, url, page, status } = await asked()
  let pulled = 0
  const body = new ReadableStream({
    pull(controller) {
      pulled += 65_536
      controller.enqueue(new Uint8Array(65_536))
    },
  })
  const reply = await holdpoint.fetch(
    new Request(url.replace('/holdpoint', ''), {
      method: 'POST',
      body,
      duplex: 'half',
      headers: {
        ...{ host: 'app.example.com', origin: 'null', 'sec-fetch-site': 'same-origin' },
        ...{ 'content-type': 'multipart/form-data; boundary=b', 'content-length': String(10 ** 10) },
      },
    } as RequestInit),
  )
  expect([reply.status, pulled <= 2 * 65_536, await status()]).toEqual([413, true, 'open'])
  expect(page).toContain('≤ 1 kB')
})

test('a question without file fields takes no files, and a file for another field is dropped', async () => {
  const { asking, page, send, uploads } = await asked({ fields: [FIELDS[0]] })
  expect(page).not.toContain('enctype')
  const reply = await send(page, 'submit', [
    ['f.title', 'T'],
    ['f.doc', file('a.txt')],
    ['f.title', file('b.txt')],
  ])
  expect([reply.status, await uploads()]).toEqual([303, 0])
  expect(await asking).toMatchObject({ input: { title: 'T' } })
})

test.each([
  ['{"action":', 'application/x-www-form-urlencoded'],
  ['--b', 'multipart/form-data; boundary=b'],
  ['--b', 'multipart/form-data'],
  ['', 'multipart/form-data; boundary=b'],
])('a malformed form is refused, and is no error of the server: %j as %s', async (body, type) => {
  const { holdpoint, url, logged, status } = await asked()
  const headers = { host: 'app.example.com', origin: 'null', 'sec-fetch-site': 'same-origin', 'content-type': type }
  const request = new Request(url.replace('/holdpoint', ''), { method: 'POST', body, headers })
  expect([(await holdpoint.fetch(request)).status, await status()]).toEqual([400, 'open'])
  expect(JSON.stringify(logged)).not.toContain('A request failed')
})

test('several errors of one field are separate in the list of errors', async () => {
  const options = [{ value: 'a', label: 'A' }]
  const { url, page, hidden, post } = await asked({
    fields: [{ id: 'm', type: 'multiselect', label: 'M', other: true, options }],
  })
  const form = { ...hidden(page), action: 'submit', 'f.m': 'q', 'o.m': 'x'.repeat(600) }
  const text = decoded(await (await post(url, form)).text()).replace(/<[^>]*>/g, '')
  expect(text).toMatch(/characters\. Choose one of the options\./)
})

test('a rejection sends no files, and stores none', async () => {
  const { asking, page, post, url, hidden, uploads } = await asked()
  expect(page).toContain('value="decline" formenctype="application/x-www-form-urlencoded"')
  const reply = await post(url, { ...hidden(page), 'f.doc': 'report.txt', action: 'decline' })
  expect([reply.status, await uploads()]).toEqual([303, 0])
  expect(await asking).toMatchObject({ outcome: 'declined' })
})

test('a second post of the same form after the answer shows the outcome, and stores no file', async () => {
  const { asking, page, send, uploads } = await asked()
  const entries: Entry[] = [
    ['f.title', 'T'],
    ['f.doc', file('a.txt')],
  ]
  expect((await send(page, 'submit', entries)).status).toBe(303)
  await asking
  expect([(await send(page, 'submit', entries)).status, await uploads()]).toEqual([303, 1])
})

test('an answer is not recorded with a file that another upload replaced meanwhile', async () => {
  const store = memoryStore()
  const { holdpoint, interactionId, page, send, status } = await asked({}, {}, { store })
  const { page: kept } = await send(page, 'submit', [['f.doc', file('one.txt')]])
  const { commit } = store
  let isReplaced = false
  store.commit = async (change) => {
    if (!isReplaced && change.puts?.some(({ kind }) => kind === 'ended')) {
      isReplaced = true
      const two = { interactionId, fieldId: 'doc', name: 'two.txt', type: 'text/plain', bytes: new Uint8Array(2) }
      await engineOf(holdpoint).upload({ userId: 'ada' }, 'chat', two)
    }
    return await commit(change)
  }
  const reply = await send(kept, 'submit', [['f.title', 'T']])
  expect([isReplaced, reply.status, await status()]).toEqual([true, 422, 'open'])
})

test('two posts at the same time record one answer, whose file exists', async () => {
  const { context, asking, page, send } = await asked()
  const entries = (name: string): Entry[] => [
    ['f.title', name],
    ['f.doc', file(`${name}.txt`, name)],
  ]
  const replies = await Promise.all(Array.from({ length: 8 }, (_, n) => send(page, 'submit', entries(`t${n}`))))
  expect(replies.some(({ status }) => status === 303)).toBe(true)
  const outcome = (await asking) as unknown as { input: { title: string; doc: { handle: string; name: string } } }
  const { name, bytes } = await context.upload(outcome.input.doc.handle)
  expect([name, new TextDecoder().decode(bytes)]).toEqual([`${outcome.input.title}.txt`, outcome.input.title])
})

test('a handle of another question, user or field is rejected at its field [P7.3]', async () => {
  const { page, send, holdpoint, human, question, linked, get, status } = await asked()
  human.ignore(question)
  const other = holdpoint.session('chat', { userId: 'ada' }).toolCall({ runId: 'r', toolCallId: 'd', toolName: 'x' })
  void other.tryAsk({ prompt: 'Other?', fields: FIELDS } as never)
  const { interactionId } = await human.next()
  const link = await linked(interactionId)
  const kept = await send(await (await get(link)).text(), 'submit', [['f.doc', file('other.txt')]], {}, link)
  const foreign = carriedBy(kept.page).find(([name]) => name === 'f.doc') ?? ['', '']
  const forgeries = [
    foreign,
    ['f.doc', '{"handle":"guess","name":"a.txt","size":1,"type":"text/plain"}'],
    ['f.doc', '{"handle":5}'],
    ['f.doc', '{broken'],
  ] as Entry[]
  for (const entry of forgeries) {
    const reply = await send(page, 'submit', [['f.title', 'T'], entry])
    expect([reply.status, await status()]).toEqual([422, 'open'])
    expect(reply.page).toContain('id="f.doc-e"')
  }
})

test('a carried file cannot be given another name, size or type [P7.4]', async () => {
  const { page, send, status } = await asked()
  const { page: kept } = await send(page, 'submit', [['f.doc', file('a.txt')]])
  const real = JSON.parse(String(carriedBy(kept).find(([name]) => name === 'f.doc')?.[1]))
  for (const forged of [{ name: 'b.txt' }, { size: 2 }, { type: 'image/png' }]) {
    const reply = await send(page, 'submit', [
      ['f.title', 'T'],
      ['f.doc', JSON.stringify({ ...real, ...forged })],
    ])
    expect([reply.status, await status()]).toEqual([422, 'open'])
  }
})

test('a file of a user without a right to answer is not read [P7.1]', async () => {
  const { page, send, holdpoint, interactionId, uploads } = await asked({ risk: 'high' })
  const entries: Entry[] = [
    ['f.title', 'T'],
    ['f.doc', file('a.txt')],
  ]
  const upload = vi.spyOn(engineOf(holdpoint), 'upload')
  expect((await send(page, 'submit', entries)).status).toBe(401)
  expect((await send(page, 'submit', entries, { cookie: 'user=bob' })).status).toBe(403)
  expect(
    (await send(page, 'submit', entries, { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' })).status,
  ).toBe(403)
  await holdpoint.links.revoke({ interactionId })
  expect((await send(page, 'submit', entries)).status).toBe(404)
  expect([upload.mock.calls.length, await uploads()]).toEqual([0, 0])
})

test('files count against the rate limit of their user', async () => {
  const { page, send, uploads } = await asked({}, {}, { http: { rateLimit: { burst: 4, perSecond: 0.001 } } })
  const files = ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((name): Entry => ['f.more', file(name)])
  await send(page, 'submit', files)
  expect(await uploads()).toBeLessThan(4)
})

const STEPS = [
  { id: 'doc', type: 'file', label: 'Document', accept: ['.txt'], required: true, group: 'Files' },
  { id: 'more', type: 'file', label: 'More', multiple: true, group: 'Files' },
  { id: 'notes', type: 'text', label: 'Notes', group: 'Notes', required: true },
]

test('a step with files is uploaded once, carried to the end, listed there, and can be changed with Back', async () => {
  const { asking, page, send, uploads } = await asked({ presentation: 'questionnaire', fields: STEPS })
  const wrong = await send(page, 'next', [
    ['f.doc', file('a.exe')],
    ['f.more', file('m1')],
  ])
  expect([wrong.status, keptIn(wrong.page)]).toEqual([422, ['m1']])
  const two = await send(wrong.page, 'next', [['f.doc', file('a.txt')]])
  expect(two.status).toBe(200)
  expect(two.page).not.toContain('type="file"')
  const summary = decoded(/<h2>Your answers so far<\/h2>(.*?)<\/dl>/s.exec(two.page)?.[1] ?? '')
  expect(
    summary
      .replace(/<[^>]*>/g, ' ')
      .replace(/\s+/g, ' ')
      .trim(),
  ).toBe('Document a.txt 1 B More m1 1 B')
  const back = await send(two.page, 'back', [['f.notes', 'kept']])
  expect(keptIn(back.page)).toEqual(['a.txt', 'm1'])
  const again = await send(back.page, 'next', [['f.doc', file('b.txt')]])
  expect(again.page).toContain('value="kept"')
  expect((await send(again.page, 'submit', [])).status).toBe(422)
  expect((await send(again.page, 'submit', [['f.notes', 'N']])).status).toBe(303)
  expect([await asking, await uploads()]).toMatchObject([
    { input: { doc: { name: 'b.txt' }, more: [{ name: 'm1' }], notes: 'N' } },
    2,
  ])
})
