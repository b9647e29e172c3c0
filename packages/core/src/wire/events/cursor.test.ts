import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Cursor, compareCursors, formatCursor, nextAfter, parseCursor } from './cursor.ts'
import { cursorAt, eventTag } from './tag.ts'

const cursors: fc.Arbitrary<Cursor> = fc.record({
  epoch: fc.stringMatching(/^[A-Za-z0-9_-]{1,64}$/),
  seq: fc.maxSafeNat(),
  tag: fc.stringMatching(/^[0-9a-z]{1,16}$/),
})

describe('form', () => {
  test('HP-CUR-1 reads back what it wrote', () => {
    fc.assert(
      fc.property(cursors, (cursor) => {
        expect(parseCursor(formatCursor(cursor))).toEqual(cursor)
      }),
    )
  })

  test('HP-CUR-1 parses only text that it formats to the same text, and returns null otherwise', () => {
    const text = fc.oneof(fc.anything(), fc.string(), fc.stringMatching(/^[a-z.0-9\n-]{0,12}$/))
    fc.assert(
      fc.property(text, (value) => {
        const cursor = parseCursor(value)
        if (cursor) expect(formatCursor(cursor)).toBe(value)
      }),
    )
  })

  test.each([
    '',
    '.',
    '..',
    'e.1',
    'e..t',
    '.1.t',
    'e.01.t',
    'e.-1.t',
    'e.1.',
    'e.1.T',
    'e.1.t.x',
    'e.1.t\n',
    'é.1.t',
    'e.9007199254740992.t',
    'e.1e3.t',
  ])('HP-CUR-1 rejects the cursor %j', (text) => expect(parseCursor(text)).toBeNull())

  test.each([
    { epoch: 'a.b', seq: 1, tag: 't' },
    { epoch: 'e\n', seq: 1, tag: 't' },
    { epoch: 'e', seq: 1.5, tag: 't' },
    { epoch: 'e', seq: -1, tag: 't' },
    { epoch: 'e', seq: Number.NaN, tag: 't' },
    { epoch: 'e', seq: 1, tag: '' },
  ])('HP-CUR-1 formatCursor rejects %o', (cursor) => {
    expect(() => formatCursor(cursor)).toThrow(expect.objectContaining({ code: 'invalid_cursor' }))
  })
})

test('a cursor that follows another is recognized without parsing', () => {
  const seqs = fc.oneof(
    fc.nat(2_000),
    fc.integer({ min: 1, max: 15 }).map((digits) => 10 ** digits - 5),
  )
  fc.assert(
    fc.property(cursors, seqs, fc.array(fc.integer({ min: -2, max: 12 }), { maxLength: 40 }), (cursor, seq, jumps) => {
      const isNext = nextAfter({ ...cursor, seq })
      for (const jump of [...jumps, 1, 1, 1]) {
        const there = Math.max(0, seq + jump)
        expect(isNext(formatCursor({ ...cursor, seq: there })), `${there} after ${seq}`).toBe(there === seq + 1)
        // An event that does not follow directly is not counted.
        if (there === seq + 1) seq++
      }
      expect(
        isNext(
          formatCursor({
            ...cursor,
            epoch: cursor.epoch.slice(1) + (cursor.epoch.endsWith('-') ? '_' : '-'),
            seq: seq + 1,
          }),
        ),
      ).toBe(false)
    }),
  )
  for (const text of ['', 'e', 'e.', 'e.9', 'e.9x.t', 'e.-9.t', 'e.09.t', 'e.90.t', 'ee.9.t', 'e.10.t'])
    expect(nextAfter({ epoch: 'e', seq: 8, tag: 't' })(text), text).toBe(false)
  expect(nextAfter({ epoch: 'e', seq: 8, tag: 't' })('e.9.t')).toBe(true)
  expect(nextAfter({ epoch: 'e', seq: 9, tag: 't' })('e.10.t')).toBe(true)
})

test('HP-CUR-4 cursors are ordered by epoch, then by sequence number, and another tag at the same number is a fork', () => {
  const at = (epoch: string, seq: number, tag = 't') => ({ epoch, seq, tag })
  expect(compareCursors(at('a', 1), at('a', 2))).toBe('before')
  expect(compareCursors(at('a', 10), at('a', 9))).toBe('after')
  expect(compareCursors(at('a', 2), at('a', 2))).toBe('same')
  expect(compareCursors(at('a', 2), at('a', 2, 'u'))).toBe('forked')
  expect(compareCursors(at('b', 1), at('a', 2))).toBe('epoch')
})

describe('tag', () => {
  test('HP-CUR-3 is the hash of PROTOCOL.md, on every machine', () => {
    const table = ['', '{}', '{"type":"done"}', 'ü', '🎈'].map((json) => [json, eventTag(json)])
    expect(table).toEqual(vectors)
  })

  test('HP-CUR-3 the tag distinguishes events that differ in one character', () => {
    const tags = new Set(Array.from({ length: 20_000 }, (_, i) => eventTag(`{"type":"content","text":"line ${i}"}`)))
    // Of 20,000 values of 32 bits about 0.05 pairs collide by chance.
    expect(tags.size).toBeGreaterThanOrEqual(19_998)
  })

  test('the cursor of an empty log has sequence number 0 and tag 0', () => {
    expect(cursorAt('e', null)).toBe('e.0.0')
    expect(parseCursor(cursorAt('e', { seq: 3, json: '{}' }))).toEqual({ epoch: 'e', seq: 3, tag: eventTag('{}') })
  })
})

/** From the definition in PROTOCOL.md, computed by another implementation (Python, arbitrary-precision integers). */
const vectors = [
  ['', '1biic5n'],
  ['{}', 'hr15yk'],
  ['{"type":"done"}', '1btp61x'],
  ['ü', '283emp'],
  ['🎈', 'h3g9ps'],
]
