import { describe, expect, test } from 'vitest'
import { limits } from '../json/limits.ts'
import { interactionRequest, knownEvent, unknownEvent } from './events.ts'
import { inputSchema } from './fields.ts'

const request = {
  type: 'interaction_request',
  timestamp: '2026-03-01T09:30:00.000Z',
  sessionId: 's-1',
  interactionId: 'i-1',
  toolCallId: 'c-1',
  toolName: 'delete_files',
  interactionType: 'approval',
  timeoutMs: 1000,
  expiresAt: '2026-03-01T09:31:00+05:30',
  attempt: 1,
}
const field = (i: number) => ({ type: 'text', id: `f${i}`, label: 'Field' })
const option = (i: number) => ({ value: String(i), label: 'Option' })
const many = <T>(count: number, make: (i: number) => T) => Array.from({ length: count }, (_, i) => make(i))
const faultOf = (value: unknown) => {
  const parsed = knownEvent.safeParse(value)
  return parsed.success ? 'none' : parsed.error.issues[0]?.path.join('.')
}

test('the example request of these tests is valid', () => expect(faultOf(request)).toBe('none'))

describe('limits', () => {
  test('HP-LIM-1 a prompt is measured in bytes', () => {
    expect(faultOf({ ...request, prompt: 'x'.repeat(limits.promptBytes) })).toBe('none')
    expect(faultOf({ ...request, prompt: 'x'.repeat(limits.promptBytes + 1) })).toBe('prompt')
    expect(faultOf({ ...request, prompt: '漢'.repeat(limits.promptBytes / 2) })).toBe('prompt')
  })

  test('HP-LIM-1 the number of fields of a form and of options of a field are limited', () => {
    const form = (fields: unknown[]) => inputSchema.safeParse({ type: 'form', fields }).success
    expect(form(many(limits.fields, field))).toBe(true)
    expect(form(many(limits.fields + 1, field))).toBe(false)
    expect(form([])).toBe(false)
    const select = (count: number) => [{ type: 'select', id: 'a', label: 'A', options: many(count, option) }]
    expect(form(select(limits.options))).toBe(true)
    expect(form(select(limits.options + 1))).toBe(false)
  })
})

describe('ranges and ids', () => {
  test.each([
    ['timeoutMs', Number.POSITIVE_INFINITY],
    ['timeoutMs', Number.NaN],
    ['timeoutMs', -1],
    ['timeoutMs', 2 ** 60],
    ['attempt', 0],
    ['attempt', 1.5],
    ['attempt', 2 ** 53],
  ])('HP-ENC-6 %s must not be %d', (key, value) => {
    expect(faultOf({ ...request, [key]: value })).toBe(key)
  })

  test.each(['', 'a\nb', 'a\rb', 'a\u0000', 'a\u007f', 'a\u2028', 'a\u2029', 'x'.repeat(257)])(
    'HP-ENC-5 the id %j is rejected',
    (id) => {
      for (const key of ['interactionId', 'toolCallId', 'sessionId', 'runId', 'replaces']) {
        expect(faultOf({ ...request, [key]: id })).toBe(key)
      }
    },
  )

  test.each(['yesterday', '2026-03-01', '2026-03-01T09:30:00', '2026-02-30T09:30:00Z'])(
    'HP-EVT-1 the time %s is rejected',
    (time) => {
      expect(faultOf({ ...request, expiresAt: time })).toBe('expiresAt')
    },
  )
})

describe('forward compatibility', () => {
  test('HP-EVT-3 unknown fields are kept at every level', () => {
    const newer = {
      ...request,
      x: 1,
      requester: { name: 'Agent', x: 1 },
      inputSchema: { type: 'form', x: 1, fields: [{ ...field(1), x: 1 }] },
    }
    expect(interactionRequest.parse(newer)).toEqual(newer)
  })

  test('HP-EVT-3 an event of an unknown type is kept, and one of a known type must have its shape', () => {
    const part = { type: 'text-delta', id: 7, delta: 'a' }
    expect(unknownEvent.parse(part)).toEqual(part)
    expect(unknownEvent.safeParse({ type: 'interaction_request' }).success).toBe(false)
  })
})
