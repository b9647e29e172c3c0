import type { ToolInteractionResponseMessage } from '@holdpoint/core/internal'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { bareKernel } from '../../../test/engine/support/bare-kernel.ts'
import { questionRow } from '../../../test/engine/support/question-row.ts'
import type { QuestionRow } from '../state/rows.ts'
import { checkAnswer, nothingToCheck, storeSecrets } from './validate-answer.ts'

const request = questionRow().request
const question = (said: object, changes: Partial<QuestionRow> = {}) =>
  questionRow({ request: { ...request, ...said } as QuestionRow['request'], ...changes })
const form = {
  type: 'form',
  fields: [
    { id: 'name', type: 'text', label: 'Name', required: true },
    { id: 'password', type: 'secret', label: 'Password' },
    { id: 'file', type: 'file', label: 'File' },
  ],
}
const says = (said: object) => said as ToolInteractionResponseMessage
const PLAIN = { ok: true, secrets: [] }
const connect = questionRow({ kind: 'connect', request: { type: 'auth_needed', inputSchema: form } as never })

function world() {
  const bare = bareKernel()
  const check = (row: QuestionRow, said: object) => checkAnswer(bare.kernel, { userId: 'ada' }, row, says(said))
  const refuses = async (row: QuestionRow, said: object) => {
    const checked = await check(row, said)
    return checked.ok ? 'taken' : (checked.reply.body as { error: object }).error
  }
  return { ...bare, check, refuses }
}

test.each([
  ['an approval', question({}), { action: 'approve' }],
  ['a denial with any other fields', question({ inputSchema: form }), { action: 'deny', args: { a: 1 } }],
  ['a form that was declined', question({ inputSchema: form }), { action: 'decline' }],
  ['accounts that were connected', connect, { action: 'submit', args: { a: 1 } }],
])('%s needs no validation', async (_what, row, said) => {
  expect(nothingToCheck(row, says(said))).toEqual(PLAIN)
  expect(await world().check(row, said)).toEqual(PLAIN)
})

test.each([
  ['changed arguments', question({}), { action: 'approve', args: { a: 1 } }],
  ['a form that was sent', question({ inputSchema: form }), { action: 'submit' }],
  ['an approval with a form', question({ inputSchema: form }), { action: 'approve' }],
])('%s is validated', (_what, row, said) => {
  expect(nothingToCheck(row, says(said))).toBeUndefined()
})

test('a submitted form must fit its fields, and errors are listed by field', async () => {
  const { check, refuses } = world()
  const row = question({ inputSchema: form })
  expect(await check(row, { action: 'submit', input: { name: 'Ada' } })).toEqual({
    ...PLAIN,
    input: { name: 'Ada' },
  })
  expect(await refuses(row, { action: 'submit', input: { name: 'Ada', other: 1 } })).toMatchObject({
    fieldErrors: { other: [expect.any(String)] },
  })
  const missing = { code: 'invalid_input', fieldErrors: { name: [expect.any(String)] } }
  expect(await refuses(row, { action: 'submit', input: {} })).toMatchObject(missing)
  expect(await refuses(row, { action: 'submit' })).toMatchObject(missing)
})

test('a file in an answer must have been uploaded', async () => {
  const { refuses } = world()
  const input = { name: 'Ada', file: { handle: 'invented', name: 'a', size: 1, type: 'b' } }
  expect(await refuses(question({ inputSchema: form }), { action: 'submit', input })).toMatchObject({
    code: 'invalid_input',
    fieldErrors: { file: [expect.stringContaining('Upload the file again')] },
  })
})

test('a secret is moved to the vault and replaced by a reference, and other values stay', async () => {
  const { check, kernel, row: stored, partition } = world()
  const row = question({ inputSchema: form }, { sessionId: 'chat' })
  const checked = await check(row, { action: 'submit', input: { name: 'hunter1', password: 'hunter2' } })
  if (!checked.ok) throw new Error('refused')
  const [secret] = checked.secrets
  expect(checked.secrets).toHaveLength(1)
  expect(checked.input).toEqual({ name: 'hunter1', password: `secret:${secret?.id}` })
  expect(JSON.stringify(checked.secrets)).not.toContain('hunter')
  await kernel.transact(partition, async (tx) => storeSecrets(tx, checked))
  const kept = await stored('secret', secret?.id ?? '')
  expect(kept && kernel.vault.open(partition, secret?.id ?? '', kept)).toBe('hunter2')
})

test('arguments that return unchanged do not count as edited', async () => {
  const { check } = world()
  const row = question({ args: { a: 1, b: 2 } })
  expect(await check(row, { action: 'approve', args: { b: 2, a: 1 } })).toEqual(PLAIN)
})

test('arguments can be edited only if the question is editable', async () => {
  const { check, refuses } = world()
  const args = { a: 2 }
  expect(await refuses(question({ args: { a: 1 } }), { action: 'approve', args })).toMatchObject({
    code: 'action_not_allowed',
    message: expect.stringContaining('cannot be changed'),
  })
  const editable = { args: { a: 1 }, editable: true }
  expect(await check(question(editable), { action: 'approve', args })).toEqual({ ...PLAIN, args })
  // Only a yes has arguments.
  expect(
    await check(question({ ...editable, inputSchema: form }), { action: 'submit', input: { name: 'A' }, args }),
  ).toEqual({
    ...PLAIN,
    input: { name: 'A' },
  })
})

test('edited arguments must fit argsSchema', async () => {
  const { check, refuses } = world()
  const row = question({ args: { name: 'A' }, editable: true, argsSchema: form })
  expect(await check(row, { action: 'approve', args: { name: 'B' } })).toEqual({ ...PLAIN, args: { name: 'B' } })
  expect(await refuses(row, { action: 'approve', args: {} })).toMatchObject({
    code: 'invalid_input',
    fieldErrors: { name: [expect.any(String)] },
  })
})

test('edited arguments must fit the schema of the tool if the tool is registered', async () => {
  const { kernel, check, refuses } = world()
  kernel.tools.register({ name: 't', input: z.object({ n: z.number() }), execute: () => undefined })
  const said = { args: { n: 1 }, editable: true }
  const wrong = { action: 'approve', args: { n: 'x' } }
  expect(await refuses(question(said, { registered: true }), wrong)).toMatchObject({
    code: 'invalid_input',
    fieldErrors: { n: [expect.any(String)] },
  })
  const fits = { action: 'approve', args: { n: 2 } }
  expect(await check(question(said, { registered: true }), fits)).toEqual({ ...PLAIN, args: { n: 2 } })
  expect(await check(question(said), wrong)).toMatchObject({ ok: true })
  expect(await check(question(said, { registered: true, toolName: 'elsewhere' }), wrong)).toMatchObject({ ok: true })
})

test('a validation error without a field becomes the message of the error', async () => {
  const { kernel, refuses } = world()
  const input = z
    .object({ from: z.string(), to: z.string() })
    .refine(({ from, to }) => from !== to, 'Two folders, please.')
  kernel.tools.register({ name: 't', input, execute: () => undefined })
  const row = question({ args: { from: 'a', to: 'b' }, editable: true }, { registered: true })
  expect(await refuses(row, { action: 'approve', args: { from: 'a', to: 'a' } })).toMatchObject({
    code: 'invalid_input',
    message: 'Two folders, please.',
    fieldErrors: {},
  })
})

test('edited arguments are recorded as the tool receives them: without unknown keys, with defaults', async () => {
  const { kernel, check } = world()
  const input = z.object({ n: z.number(), dry: z.boolean().default(true) })
  kernel.tools.register({ name: 't', input, execute: () => undefined })
  const row = question({ args: { n: 1 }, editable: true }, { registered: true })
  expect(await check(row, { action: 'approve', args: { n: 2, force: true } })).toEqual({
    ...PLAIN,
    args: { n: 2, dry: true },
  })
})

test.each<[string, z.ZodType, object]>([
  ['transforms', z.object({ n: z.string().transform(Number) }), { n: '2' }],
  ['makes a date', z.object({ n: z.coerce.date() }).transform(({ n }) => ({ at: n })), { n: '2026-01-01' }],
])(
  'a schema that %s receives the arguments of the user, because it could not parse its own output',
  async (_, input, args) => {
    const { kernel, check } = world()
    kernel.tools.register({ name: 't', input, execute: () => undefined })
    const row = question({ args: {}, editable: true }, { registered: true })
    expect(await check(row, { action: 'approve', args })).toEqual({ ...PLAIN, args })
  },
)

test('an approval may contain both a form and edited arguments', async () => {
  const { check } = world()
  const row = question({ args: { a: 1 }, editable: true, inputSchema: form })
  expect(await check(row, { action: 'approve', args: { a: 2 }, input: { name: 'Ada' } })).toEqual({
    ...PLAIN,
    args: { a: 2 },
    input: { name: 'Ada' },
  })
})
