import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { fromSchema } from '../../test/support/from-schema.ts'
import { mutated } from '../../test/support/mutate.ts'
import { pollPage, serverFrame } from '../protocol/frames.ts'
import { sessionSnapshot } from '../protocol/snapshot.ts'

import { bearerFromProtocols, bearerToProtocol } from './bearer.ts'
import { decodePage } from './events/decode-page.ts'
import { decodeSnapshot } from './events/decode-snapshot.ts'
import { decodeFrame } from './events/frame.ts'
import { cursorAt } from './events/tag.ts'

const note = (text: string) => ({ type: 'note', text })

describe('frames', () => {
  test('HP-FRM-1 reading a frame never throws, and reports the fault', () => {
    const frames = fromSchema(serverFrame)
    fc.assert(
      fc.property(fc.oneof(frames, mutated(frames), fc.anything()), (value) => {
        const decoded = decodeFrame(value)
        if (!decoded.ok) expect(decoded.problem.code).toMatch(/^malformed_(frame|event)$/)
      }),
    )
  })

  test.each([
    [
      { cursor: 'e.1.t', event: note('a') },
      { kind: 'event', cursor: 'e.1.t', event: note('a') },
    ],
    [{ reset: 'ahead' }, { kind: 'reset', reason: 'ahead' }],
    [{ heartbeat: 1 }, { kind: 'heartbeat' }],
    [
      { id: 'm', status: 409, body: { a: 1 } },
      { kind: 'reply', id: 'm', status: 409, body: { a: 1 } },
    ],
  ])('%j is read', (value, frame) => expect(decodeFrame(value)).toEqual({ ok: true, value: frame }))

  test('HP-FRM-2 a frame of a newer server is decoded as unknown, without an error', () => {
    expect(decodeFrame({ weather: 'fine' })).toEqual({ ok: true, value: { kind: 'unknown' } })
  })

  test('HP-RST-8 a reset with an unknown reason is decoded as a reset', () => {
    expect(decodeFrame({ reset: 'eclipse' })).toEqual({ ok: true, value: { kind: 'reset', reason: 'invalid' } })
  })

  test.each([
    [{ event: note('a') }, 'malformed_frame', 'cursor'],
    [{ cursor: 'e.1.t', event: { type: 'done' } }, 'malformed_event', 'timestamp'],
    [{ status: 200 }, 'malformed_frame', 'id'],
  ])('HP-FRM-1 the frame %j is rejected', (value, code, path) => {
    expect(decodeFrame(value)).toMatchObject({ ok: false, problem: { code, path } })
  })
})

describe('pages', () => {
  test('HP-POL-3 the cursors of all events in a page follow from the cursor of the page', () => {
    const events = [note('a'), note('b'), note('c')]
    const cursors = events.map((event, i) => cursorAt('e', { seq: i + 5, json: JSON.stringify(event) }))
    expect(decodePage({ cursor: cursors[2], events })).toEqual({
      ok: true,
      value: { cursor: cursors[2], problems: [], events: events.map((event, i) => ({ cursor: cursors[i], event })) },
    })
  })

  test('HP-EVT-2 a malformed event in a page is reported, and the other events keep their cursors', () => {
    const page = decodePage({ cursor: 'e.7.t', events: [note('a'), { type: 'done' }, note('c')] })
    expect(page).toMatchObject({
      ok: true,
      value: {
        problems: [{ code: 'malformed_event' }],
        events: [{ event: note('a') }, { cursor: 'e.7.t', event: note('c') }],
      },
    })
  })

  test('an invalid page is rejected, and reading a page never throws', () => {
    const pages = fromSchema(pollPage)
    fc.assert(fc.property(fc.oneof(pages, mutated(pages), fc.anything()), (value) => void decodePage(value)))
    expect(decodePage({ cursor: 'e.1.t', events: [note('a'), note('b')] }).ok).toBe(false)
    expect(decodePage('<!doctype html>').ok).toBe(false)
  })
})

describe('snapshots', () => {
  const snapshots = fromSchema(sessionSnapshot)

  test('a page that the schema accepts is accepted completely', () => {
    fc.assert(
      fc.property(fc.oneof(snapshots, mutated(snapshots)), (value) => {
        const decoded = decodeSnapshot(value)
        if (!sessionSnapshot.safeParse(value).success) return
        expect(decoded).toEqual({ ok: true, value: { snapshot: value, problems: [] } })
      }),
      { numRuns: 300 },
    )
  })

  test('HP-SNP-3 an interaction that cannot be read is reported by its position, and the others are kept', () => {
    const request = (id: string) => ({
      request: { type: 'interaction_closed', timestamp: 'now', sessionId: 's', interactionId: id, reason: 'expired' },
    })
    const snapshot = {
      cursor: 'e.1.t',
      serverTime: '2026-03-01T09:30:00.000Z',
      you: { userId: 'ada', can: ['read'] },
      runs: [],
      interactions: [
        request('a'),
        { request: { type: 'interaction_closed' } },
        { ...request('b'), response: 7 },
        request('c'),
      ],
    }
    const decoded = decodeSnapshot(snapshot)
    expect(decoded.ok && decoded.value.snapshot.interactions).toEqual([request('a'), request('c')])
    expect(decoded.ok && decoded.value.problems.map(({ path }) => path)).toEqual([
      'interactions[1].request.timestamp',
      'interactions[2].response',
    ])
  })

  test('any input is read without throwing', () => {
    fc.assert(fc.property(fc.anything(), (value) => void decodeSnapshot(value)))
  })
})

test('HP-WS-1 a bearer with any characters survives as a subprotocol', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), (token) => {
      const protocol = bearerToProtocol(token)
      expect(protocol).toMatch(/^[A-Za-z0-9._-]+$/)
      expect(bearerFromProtocols(`holdpoint.v1, ${protocol}`)).toBe(token)
      expect(bearerFromProtocols(['holdpoint.v1', protocol])).toBe(token)
    }),
  )
  expect(bearerFromProtocols('holdpoint.v1')).toBeNull()
  expect(bearerFromProtocols('holdpoint.bearer.%%')).toBeNull()
})
