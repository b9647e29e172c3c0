import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { fromSchema } from '../../../test/support/from-schema.ts'
import { mutated } from '../../../test/support/mutate.ts'
import { eventTypes, type HoldpointEvent, knownEvent, unknownEvent } from '../../protocol/events.ts'
import { decodeEvent } from './decode-event.ts'
import { encodeEvent } from './encode-event.ts'

const events = fromSchema(knownEvent)
const envelope = { timestamp: '2026-03-01T09:30:00.000Z', sessionId: 's-1' }
const asked = {
  ...envelope,
  type: 'interaction_request',
  interactionId: 'i-1',
  toolCallId: 'c-1',
  toolName: 'delete_files',
  interactionType: 'input',
  inputSchema: {
    type: 'form',
    fields: [{ type: 'select', id: 'a', label: 'A', options: [{ value: '1', label: 'One' }] }],
  },
  timeoutMs: 1000,
  expiresAt: '2026-03-01T09:31:00.000Z',
  attempt: 1,
}

describe('guards and schemas', () => {
  test('HP-EVT-1 the generator reaches every known type, and the schemas accept what it makes', () => {
    const seen = new Set<string>()
    fc.assert(
      fc.property(events, (event) => {
        const parsed = knownEvent.parse(event)
        seen.add(parsed.type)
      }),
      { numRuns: 400, seed: 1 },
    )
    expect([...seen].sort()).toEqual([...eventTypes].sort())
  })

  test('the guards accept every value that the schemas accept, and return it unchanged', () => {
    fc.assert(
      fc.property(fc.oneof(events, mutated(events), mutated(mutated(events))), (value) => {
        if (!knownEvent.safeParse(value).success && !unknownEvent.safeParse(value).success) return
        const decoded = decodeEvent(value)
        expect(decoded).toEqual({ ok: true, value })
        expect(decoded.ok && decoded.value).toBe(value)
      }),
      { numRuns: 1500 },
    )
  })

  test('HP-EVT-2 guards never throw, and report the path of a fault', () => {
    fc.assert(
      fc.property(fc.oneof(mutated(mutated(mutated(events))), fc.anything()), (value) => {
        const decoded = decodeEvent(value)
        if (decoded.ok) return
        expect(decoded.problem.code).toBe('malformed_event')
        expect(typeof decoded.problem.path).toBe('string')
      }),
      { numRuns: 1500 },
    )
  })

  test.each([
    ['interactionId', { ...asked, interactionId: 7 }],
    ['interactionId', { ...asked, interactionId: '' }],
    ['expiresAt', { ...asked, expiresAt: 'soon' }],
    ['timeoutMs', { ...asked, timeoutMs: Number.NaN }],
    ['inputSchema.fields', { ...asked, inputSchema: { type: 'form' } }],
    ['inputSchema.fields[0].id', { ...asked, inputSchema: { type: 'form', fields: [{ type: 'text', label: 'A' }] } }],
    ['diff[0].hunks[0].lines', { ...asked, diff: [{ path: 'a', hunks: [{ id: 'h' }] }] }],
    ['fieldErrors.a[0]', { ...asked, fieldErrors: { a: [null] } }],
    [
      'respondedBy.clientId',
      {
        ...envelope,
        type: 'interaction_response',
        interactionId: 'i',
        toolCallId: 'c',
        action: 'deny',
        respondedBy: {},
      },
    ],
    ['type', { ...envelope }],
    ['', null],
    ['', []],
  ])('HP-EVT-1 HP-EVT-2 an invalid event is rejected with the path %s', (path, value) => {
    expect(decodeEvent(value)).toMatchObject({ ok: false, problem: { code: 'malformed_event', path } })
  })
})

describe('newer servers', () => {
  test('HP-EVT-3 unknown types and fields survive a round trip', () => {
    const types = fc.oneof(
      fc.string({ minLength: 1, maxLength: 40 }).filter((type) => !eventTypes.has(type)),
      fc.constantFrom('constructor', 'toString', 'hasOwnProperty', 'text-delta'),
    )
    const unknown = fc
      .tuple(types, fc.jsonValue({ maxDepth: 3 }))
      .map(([type, rest]) => JSON.parse(JSON.stringify({ rest, type })))
    fc.assert(
      fc.property(fc.oneof(unknown, events), (event) => {
        fc.pre(!JSON.stringify(event).includes('__proto__'))
        const json = encodeEvent(event as HoldpointEvent)
        const decoded = decodeEvent(JSON.parse(json))
        expect(decoded).toEqual({ ok: true, value: event })
        expect(JSON.stringify(decoded.ok && decoded.value)).toBe(json)
      }),
    )
  })

  test('HP-EVT-3 unknown enumeration values of a newer server are accepted', () => {
    expect(decodeEvent({ ...envelope, type: 'run_status', runId: 'r', status: 'hibernating' }).ok).toBe(true)
    expect(decodeEvent({ ...asked, interactionType: 'signature', approvalScopes: ['week'] }).ok).toBe(true)
  })
})

describe('encodeEvent', () => {
  const circular: Record<string, unknown> = { type: 'x' }
  circular.self = circular
  test.each([
    ['malformed_event', { ...asked, attempt: undefined }],
    ['malformed_event', undefined],
    ['too_large', { type: 'x', text: 'a'.repeat(2 * 1024 * 1024) }],
    ['too_deep', { type: 'x', deep: JSON.parse('['.repeat(80) + ']'.repeat(80)) }],
    ['forbidden_key', { type: 'x', args: JSON.parse('{"__proto__":{"admin":true}}') }],
    ['invalid_event', { type: 'x', big: 1n }],
    ['invalid_event', circular],
  ])('HP-EVT-4 encodeEvent rejects events that a reader would reject: %s', (code, event) => {
    expect(() => encodeEvent(event as HoldpointEvent)).toThrow(expect.objectContaining({ code }))
  })
})
