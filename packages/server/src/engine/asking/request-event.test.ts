import { limits } from '@holdpoint/core/protocol'
import { describe, expect, test } from 'vitest'
import { questionRow } from '../../test/engine/support/question-row.ts'
import type { ApprovalQuestion, InputQuestion } from './requests.ts'
import { checkRequest, requestDigest, requestEvent, reworded, wireOf, wireRequest } from './wire-request.ts'

const field = { id: 'name', type: 'text', label: 'Name' } as const
const ids = { sessionId: 's', runId: 'r', toolCallId: 'c', toolName: 't', interactionId: 'q', attempt: 1 }
const approval = (changes: Partial<ApprovalQuestion> = {}): ApprovalQuestion => ({ type: 'approval', ...changes })
const form = { type: 'input', inputSchema: [field] } satisfies InputQuestion
const ask = (question: ApprovalQuestion | InputQuestion) => requestEvent(wireRequest(question), { ...ids, now: 5_000 })

describe('a question in the words of the protocol', () => {
  test('five minutes, once or for the session, unless the tool says otherwise', () => {
    expect(wireRequest(approval())).toEqual({
      interactionType: 'approval',
      timeoutMs: 300_000,
      approvalScopes: ['once', 'session'],
    })
    expect(wireRequest(approval({ timeoutMs: 7, approvalScopes: ['once'] }))).toEqual({
      interactionType: 'approval',
      timeoutMs: 7,
      approvalScopes: ['once'],
    })
    expect(wireRequest(form)).not.toHaveProperty('approvalScopes')
  })

  test('what stays with the host never leaves it, whatever is spread into a question', () => {
    const own = { key: 'k', whenUnavailable: 'wait', onResponse: 'secret', policy: 'secret', runId: 'other', now: 1 }
    const wire = wireRequest({ ...approval({ prompt: 'Go?' }), ...own } as never)
    expect(Object.keys(wire).sort()).toEqual(['approvalScopes', 'interactionType', 'prompt', 'timeoutMs'])
  })

  test('who wants to know is shown; that they are held to a rate is not', () => {
    const requester = { name: 'files.example', kind: 'mcp', remote: true } as const
    expect(wireRequest(approval({ requester })).requester).toEqual({ name: 'files.example', kind: 'mcp' })
    expect(wireRequest(approval())).not.toHaveProperty('requester')
  })

  test('a list of fields is a form, a form stays as it is', () => {
    const schema = { type: 'form', fields: [field] }
    expect(wireRequest(form).inputSchema).toEqual(schema)
    expect(wireRequest({ type: 'input', inputSchema: schema } as never).inputSchema).toEqual(schema)
    expect(wireRequest(approval())).not.toHaveProperty('inputSchema')
  })

  test('what JSON cannot hold is refused before anybody is asked', () => {
    expect(() => wireRequest(approval({ args: { n: 1n } }))).toThrow(
      expect.objectContaining({ code: 'not_recordable' }),
    )
  })
})

describe('the next prompt', () => {
  const requester = { name: 'files.example', kind: 'mcp' as const }
  const last = ask({
    ...form,
    ...{ prompt: 'Who?', error: 'Old.', fieldErrors: { name: ['Old.'] }, initialValues: { name: 'A' }, requester },
  })
  const said = {
    interactionType: 'input',
    timeoutMs: 300_000,
    prompt: 'Who?',
    inputSchema: { type: 'form', fields: [field] },
  }

  test('says what the last one said, without what was wrong with the last answer', () => {
    expect(reworded(last, {})).toEqual({ ...said, requester })
  })

  test('says otherwise what the tool changes, and only that', () => {
    const change = { error: 'Again.', timeoutMs: 9, whenUnavailable: 'wait', onResponse: 'secret' } as never
    expect(reworded(last, change)).toEqual({ ...said, requester, error: 'Again.', timeoutMs: 9 })
    expect(reworded(last, { type: 'approval', prompt: 'Sure?' })).toMatchObject({
      interactionType: 'approval',
      prompt: 'Sure?',
    })
    expect(reworded(last, { requester: { name: 'me' } as never }).requester).toEqual({ name: 'me' })
  })

  test('keeps what was typed, unless the tool fills the form anew', () => {
    const kept = { name: 'Ada' }
    expect(reworded(last, {}, kept).initialValues).toEqual(kept)
    expect(reworded(last, { initialValues: { name: 'B' } }, kept).initialValues).toEqual({ name: 'B' })
  })

  test('of one that nobody in particular wanted to know, nobody does', () => {
    expect(reworded(ask(form), {})).not.toHaveProperty('requester')
  })
})

test('what a question said can be said again; one for accounts says nothing of its own', () => {
  const asked = ask({ ...form, error: 'Wrong.' })
  expect(wireOf(asked)).toEqual(wireRequest({ ...form, error: 'Wrong.' }))
  expect(wireOf({ type: 'auth_needed', prompt: 'Connect', timeoutMs: 5 } as never)).toEqual({})
})

test.each([
  ['the tool', 'other_tool', {}],
  ['the prompt', 't', { prompt: 'Else?' }],
  ['the arguments', 't', { args: { n: 2 } }],
  ['the fields', 't', { inputSchema: [{ ...field, id: 'other' }] }],
  ['the kind', 't', { type: 'input' }],
])('two questions are two when %s differs', (_what, tool, change) => {
  const question = approval({ prompt: 'Go?', args: { n: 1 } })
  const digest = (name: string, changes: object) =>
    requestDigest(name, wireRequest({ ...question, ...changes } as never))
  expect(digest('t', { labels: { approve: 'Yes' }, timeoutMs: 5, risk: 'high' })).toBe(digest('t', {}))
  expect(digest(tool, change)).not.toBe(digest('t', {}))
})

test('it expires so long after it was asked', () => {
  expect(ask(approval({ timeoutMs: 1_500 }))).toMatchObject({
    ...{ type: 'interaction_request', ...ids },
    timestamp: '1970-01-01T00:00:05.000Z',
    expiresAt: '1970-01-01T00:00:06.500Z',
  })
  expect(ask(approval())).not.toHaveProperty('now')
})

describe('before anybody is asked', () => {
  const bounds = { ...limits, promptBytes: 10, fields: 2, eventBytes: 2_000 }
  const check = (question: ApprovalQuestion | InputQuestion) => () => checkRequest(ask(question), bounds)
  const fields = (count: number) => Array.from({ length: count }, (_, n) => ({ ...field, id: `f${n}` }))
  const code = (expected: string) => expect.objectContaining({ code: expected })

  test('a prompt has so many bytes, a form so many fields, and the whole so many bytes', () => {
    expect(check(approval({ prompt: 'ääääa1' }))).not.toThrow()
    expect(check(approval({ prompt: 'äääää' }))).not.toThrow()
    expect(check(approval({ prompt: 'äääääa' }))).toThrow(code('prompt_too_large'))
    expect(check(approval({ prompt: 'äääääa' }))).toThrow('11 bytes; at most 10')
    expect(check({ ...form, inputSchema: fields(2) })).not.toThrow()
    expect(check({ ...form, inputSchema: fields(3) })).toThrow(code('too_many_fields'))
    const rest = Buffer.byteLength(JSON.stringify(ask(approval({ args: '' }))))
    expect(check(approval({ args: 'x'.repeat(2_000 - rest) }))).not.toThrow()
    expect(check(approval({ args: 'x'.repeat(2_001 - rest) }))).toThrow(code('request_too_large'))
  })

  test('what the protocol does not know is refused where it stands', () => {
    const wrong = check(approval({ risk: 'deadly' as never }))
    expect(wrong).toThrow(expect.objectContaining({ code: 'invalid_request', details: { path: 'risk' } }))
    expect(wrong).toThrow('"risk"')
    expect(check(approval({ labels: { approve: 7 } as never }))).toThrow('"labels.approve"')
  })

  test('what is wrong with the question as a whole is said without a place', () => {
    const event = { ...ask(approval()), toJSON: undefined } as never
    expect(() => checkRequest(event, bounds)).not.toThrow()
    expect(() => checkRequest([] as never, bounds)).toThrow(
      expect.objectContaining({ code: 'invalid_request', details: { path: '' } }),
    )
    expect(() => checkRequest([] as never, bounds)).toThrow(/^The question cannot be asked: (?!")/)
  })

  test('fields are held against themselves too', () => {
    const twice = check({ ...form, inputSchema: [field, field] })
    expect(twice).toThrow(code('invalid_fields'))
  })

  test('a question without a form has no fields to hold against anything', () => {
    expect(() => checkRequest(questionRow().request as never, bounds)).not.toThrow()
  })
})
