import type { HoldpointEvent } from '@holdpoint/core'
import { expect, test } from 'vitest'
import { encodeHostEvent } from './encode-host-event.ts'
import type { Kernel } from './kernel.ts'

const base = { timestamp: '2030-01-01T00:00:00.000Z', sessionId: 'chat' }
const check = (event: object, eventBytes = 1_000) =>
  encodeHostEvent({ limits: { eventBytes } } as Kernel, { ...base, ...event } as HoldpointEvent)

test.each([
  ...['interaction_request', 'interaction_response', 'interaction_updated', 'interaction_closed'],
  ...['auth_needed', 'auth_progress', 'auth_result'],
])('an event of type %s can be written only by the engine', (type) => {
  expect(() => check({ type, interactionId: 'q' })).toThrow(expect.objectContaining({ code: 'reserved_event' }))
})

test('an event at the byte limit is accepted, and one byte more is rejected', () => {
  const event = { type: 'content', text: 'ä' }
  const size = Buffer.byteLength(JSON.stringify({ ...base, ...event }))
  expect(() => check(event, size)).not.toThrow()
  expect(() => check(event, size - 1)).toThrow(
    expect.objectContaining({ code: 'event_too_large', message: expect.stringContaining(`has ${size} bytes`) }),
  )
})

test('an event of a known type is validated and its error names the field, and an unknown type is accepted', () => {
  expect(() => check({ type: 'run_status', runId: 'r', status: 'paused' })).not.toThrow()
  expect(() => check({ type: 'run_status', runId: 'r', status: 'tired' })).toThrow(
    expect.objectContaining({
      code: 'invalid_event',
      message: expect.stringMatching(/"run_status" event: status: \w+/),
    }),
  )
  expect(() => check({ type: 'weather', status: 'tired' })).not.toThrow()
})
