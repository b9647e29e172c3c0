import { expect, test } from 'vitest'
import { bareKernel } from '../../../test/engine/support/bare-kernel.ts'
import { questionRow } from '../../../test/engine/support/question-row.ts'
import type { QuestionRow, UploadRow } from '../state/rows.ts'
import { accepts, checkUploads, openUpload, receiveUpload } from './uploads.ts'

const ada = { userId: 'ada' }
const fields = [
  { id: 'doc', type: 'file', label: 'Document', accept: ['.pdf'], maxBytes: 4 },
  { id: 'any', type: 'file', label: 'Anything' },
  { id: 'many', type: 'file', label: 'Many', multiple: true },
  { id: 'name', type: 'text', label: 'Name' },
]
const asking = {
  request: { ...questionRow().request, inputSchema: { type: 'form', fields } } as QuestionRow['request'],
}
const connecting = { request: { type: 'auth_needed', integrations: [], inputSchema: { fields } } as never }

function world() {
  const bare = bareKernel({ limits: { uploadBytes: 6 } })
  const { kernel, put, row, partition } = bare
  const file = { interactionId: 'q1', fieldId: 'any', name: 'a.pdf', type: 'application/pdf', bytes: new Uint8Array(3) }
  return {
    ...bare,
    async begin(changes: Partial<QuestionRow> = {}) {
      await put('session', 'session', { tenant: '', sessionId: 'chat', userId: 'ada', createdAt: 0 })
      return await bare.ask({ ...asking, ...changes })
    },
    send: (changes: Partial<typeof file> = {}, who: { userId: string; tenant?: string } = ada) =>
      receiveUpload(kernel, who, 'chat', { ...file, ...changes }),
    stored: (handle: string) => row('upload', handle),
    open: (handle: string) => openUpload(kernel, { partition } as never, handle),
  }
}
const code = (expected: string, more: object = {}) => ({ body: { error: { code: expected, ...more } } })

test('an accepted file can be read by its handle, unchanged, and is removed with its ended question', async () => {
  const { begin, send, stored, open, store, clock } = world()
  await begin()
  const bytes = new Uint8Array([0, 255, 7])
  const reply = await send({ bytes, name: 'x.bin', type: 'application/x' })
  const { handle } = reply.body as { handle: string }
  expect(reply).toEqual({ status: 200, body: { handle, name: 'x.bin', size: 3, type: 'application/x' } })
  expect(await stored(handle)).toMatchObject({
    userId: 'ada',
    interactionId: 'q1',
    fieldId: 'any',
    size: 3,
    at: clock.now(),
  })
  expect(await open(handle)).toEqual({ name: 'x.bin', type: 'application/x', bytes })
  expect((await store.due('upload')).nextDue).toBe(clock.now() + 30 * 24 * 60 * 60_000)
})

test('an unknown handle, or one without bytes, cannot be read', async () => {
  const { begin, open, put } = world()
  await begin()
  await put('upload', 'bare', { ...({} as UploadRow), name: 'a', type: 'b' })
  for (const handle of ['none', 'bare']) await expect(open(handle)).rejects.toMatchObject({ code: 'unknown_upload' })
})

test('an upload is accepted only from a user who may answer, for a question that can be answered', async () => {
  const { begin, send } = world()
  expect(await send()).toMatchObject(code('not_found'))
  await begin()
  expect(await send({}, { userId: 'eve' })).toMatchObject(code('not_found'))
  expect(await send({}, { ...ada, tenant: 'other' })).toMatchObject(code('not_found'))
  expect(await send({ interactionId: 'q9' })).toMatchObject(code('unknown_interaction'))
  expect(await send({ interactionId: 'q9' }, { userId: 'eve' })).toMatchObject(code('not_found'))
  await begin({ id: 'q2', status: 'answered' })
  expect(await send({ interactionId: 'q2' })).toMatchObject(code('unknown_interaction'))
  await begin({ id: 'q3', status: 'deferred' })
  expect(await send({ interactionId: 'q3' })).toMatchObject({ status: 200 })
})

test('an upload of the audience is accepted', async () => {
  const { begin, send } = world()
  await begin({ request: { ...asking.request, audience: ['boss'] } as QuestionRow['request'] })
  expect(await send({}, { userId: 'boss' })).toMatchObject({ status: 200 })
})

test('an upload for a field that is no file field is rejected', async () => {
  const { begin, send } = world()
  await begin()
  for (const fieldId of ['name', 'none']) {
    expect(await send({ fieldId })).toMatchObject(
      code('invalid_input', { fieldErrors: { [fieldId]: [expect.any(String)] } }),
    )
  }
  await begin({ id: 'q2', ...connecting })
  expect(await send({ interactionId: 'q2' })).toMatchObject(code('invalid_input'))
  await begin({ id: 'q3', request: questionRow().request })
  expect(await send({ interactionId: 'q3' })).toMatchObject(code('invalid_input'))
})

test('an upload is limited by the smaller of the field’s and the server’s limit', async () => {
  const { begin, send } = world()
  await begin()
  const bytes = (count: number) => ({ bytes: new Uint8Array(count) })
  expect(await send({ fieldId: 'doc', ...bytes(4) })).toMatchObject({ status: 200 })
  expect(await send({ fieldId: 'doc', ...bytes(5) })).toMatchObject(
    code('too_large', { message: expect.stringContaining('4 bytes') }),
  )
  expect(await send(bytes(6))).toMatchObject({ status: 200 })
  expect(await send(bytes(7))).toMatchObject(code('too_large', { message: expect.stringContaining('6 bytes') }))
  const wide = { ...asking.request, inputSchema: { type: 'form', fields: [{ ...fields[1], maxBytes: 100 }] } }
  await begin({ id: 'q2', request: wide as QuestionRow['request'] })
  expect(await send({ interactionId: 'q2', ...bytes(7) })).toMatchObject(code('too_large'))
})

test('an upload of a type that the field does not accept is rejected with the accepted types', async () => {
  const { begin, send } = world()
  await begin()
  expect(await send({ fieldId: 'doc', name: 'a.exe' })).toMatchObject(
    code('invalid_input', { fieldErrors: { doc: ['Only .pdf can be uploaded here.'] } }),
  )
})

test.each([
  [[], 'a.exe', 'x/y', true],
  [['.PDF'], 'a.pdf', 'x/y', true],
  [['TEXT/plain'], 'a', 'text/plain', true],
  [['text/plain'], 'a', 'text/plainer', false],
  [['image/*', '.txt'], 'a.txt', 'x/y', true],
  [['.pdf'], 'pdf', 'x/pdf', false],
])('a field that accepts %j: %s as %s → %s', (accept, name, type, taken) => {
  expect(accepts(accept, name, type)).toBe(taken)
})

test('an answer names only files that this user uploaded for this field of this question', async () => {
  const { begin, send, kernel } = world()
  const row = await begin()
  await begin({ id: 'q2' })
  const upload = async (...said: Parameters<typeof send>) => {
    const { handle } = (await send(...said)).body as { handle: string }
    return { handle }
  }
  const check = (input: Record<string, unknown>, who: { userId: string } = ada, question = row) =>
    checkUploads(kernel, who, question, input)
  const [doc, any] = [await upload({ fieldId: 'doc' }), await upload()]
  const elsewhere = await upload({ interactionId: 'q2' })
  expect(await check({ doc, any, many: [], name: 'x' })).toBeNull()
  expect(await check({})).toBeNull()
  const again = [expect.stringContaining('again')]
  expect(await check({ doc, any: elsewhere })).toEqual({ any: again })
  expect(await check({ doc: any, any: doc })).toEqual({ doc: again, any: again })
  expect(await check({ any }, { userId: 'boss' })).toEqual({ any: again })
  expect(await check({ any: { handle: 'invented' } })).toEqual({ any: again })
  const many = [await upload({ fieldId: 'many' }), await upload({ fieldId: 'many' })]
  expect(await check({ many })).toBeNull()
  expect(await check({ many: [...many, any] })).toEqual({ many: again })
  // A value that is no handle, or a handle in a field of another type, names no file.
  expect(await check({ any: null, doc: { handle: 7 }, many: ['x', {}], name: { handle: 'y' } })).toBeNull()
  expect(await check({ any: { handle: 'y' } }, ada, questionRow(connecting))).toBeNull()
  expect(await check({ any: { handle: 'y' } }, ada, questionRow())).toBeNull()
})

test.each([
  [undefined, 'a.exe', 'x/y', true],
  [['.pdf'], 'A.PDF', 'application/pdf', true],
  [['.pdf'], 'a.pdf.exe', 'application/pdf', false],
  [['image/*'], 'a', 'image/png', true],
  [['image/*'], 'a', 'imagery/png', false],
  [['text/plain'], 'a', 'text/plain', true],
] as const)('a field that accepts %s: %s as %s → %s', (accept, name, type, taken) => {
  expect(accepts(accept, name, type)).toBe(taken)
})
