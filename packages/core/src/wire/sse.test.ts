import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { HoldpointEvent } from '../protocol/events.ts'

import { encodeEvent } from './events/encode-event.ts'
import { cursorAt } from './events/tag.ts'
import { createSseReader } from './streams/sse-reader.ts'
import { sseFrame, sseHeartbeat, sseReset, sseRetry } from './streams/sse-writer.ts'
import { strictReading } from './streams/strict-reading.ts'

const bytes = (text: string) => new TextEncoder().encode(text)
const say = (text: string): HoldpointEvent => ({ type: 'note', text })
const frame = (seq: number, event: HoldpointEvent) => {
  const json = encodeEvent(event)
  return sseFrame(cursorAt('e', { seq, json }), json)
}

/** Reads a stream in pieces and records the reader's callbacks as lines, in the mode of browsers or in strict mode. */
function read(
  chunks: Iterable<Uint8Array>,
  options: { maxBytes?: number; reading?: ReturnType<typeof strictReading> } = {},
): string[] {
  const heard: string[] = []
  const feed = createSseReader(
    {
      events: (batch) => heard.push(...batch.map(({ cursor, event }) => `${cursor.split('.')[1]} ${event.text}`)),
      reset: (reason) => heard.push(`reset ${reason}`),
      alive: () => heard.push('alive'),
      malformed: ({ code, path }) => heard.push(`malformed ${code}${path === undefined ? '' : ` at ${path}`}`),
    },
    options,
  )
  for (const chunk of chunks) feed(chunk)
  return heard
}
const inPieces = (all: Uint8Array, size: number) =>
  Array.from({ length: Math.ceil(all.length / size) }, (_, i) => all.subarray(i * size, (i + 1) * size))

describe('the SSE writer', () => {
  test.each(['\n', '\r', '\r\n', '\0'])('HP-SSE-1 rejects %j in a cursor or an event', (evil) => {
    const unsafe = expect.objectContaining({ code: 'unsafe_frame' })
    expect(() => sseFrame(`e.1.t${evil}data: {}`, '{}')).toThrow(unsafe)
    expect(() => sseFrame('e.1.t', `{}${evil}id: e.9.t`)).toThrow(unsafe)
  })

  test('HP-SSE-1 escapes the content of an event, so that it cannot become a frame', () => {
    const evil = say('x\n\nid: e.99.t\ndata: {"type":"forged"}\n\n\r\u2028')
    expect(read([bytes(frame(1, evil))])).toEqual([`1 ${evil.text}`])
  })

  test('HP-RST-8 writes a reset that readers recognize, also with an unknown reason', () => {
    expect(read([bytes(sseReset('forked'))])).toEqual(['reset forked'])
    expect(read([bytes('event: reset\ndata: {"reason":"eclipse"}\n\nevent: reset\ndata: ?\n\n')])).toEqual([
      'reset invalid',
      'reset invalid',
    ])
  })
})

describe('the SSE reader', () => {
  const texts = ['plain', 'grün 🎈 漢字 \u0007', 'ok']
  const stream = bytes(
    `\uFEFF${texts.map((text, i) => frame(i + 1, say(text))).join('')}${sseRetry(500)}${sseHeartbeat}event: news\ndata: {}\n\n`,
  )
  const expected = texts.map((text, i) => `${i + 1} ${text}`)

  test('HP-SSE-5 yields the same frames for every chunk size', () => {
    for (let size = 1; size <= stream.length; size++) {
      const heard = read(inPieces(stream, size))
      expect(heard.filter((line) => line !== 'alive')).toEqual(expected)
      expect(read(inPieces(stream, size), { reading: strictReading() })).toEqual(heard)
      // The heartbeat, and the frame of a kind that this reader does not know.
      expect(heard.length - expected.length).toBe(2)
    }
  })

  test('HP-SSE-5 yields the same frames for all line ends and random chunks', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('\n', '\r\n', '\r'),
        fc.infiniteStream(fc.integer({ min: 1, max: 9 })),
        (end, sizes) => {
          const text = `${frame(1, say('a'))}${frame(2, say('b'))}`.replaceAll('\n', end)
          // A lone CR at the very end might still become CRLF: one more line settles it.
          const all = bytes(end === '\r' ? `${text}:\n` : text)
          const chunks: Uint8Array[] = []
          for (let at = 0; at < all.length; ) {
            const size = sizes.next().value ?? 1
            chunks.push(all.subarray(at, at + size))
            at += size
          }
          expect(read(chunks).filter((line) => line !== 'alive')).toEqual(['1 a', '2 b'])
        },
      ),
    )
  })

  test('HP-EVT-2 skips an unreadable event without effect on later ones', () => {
    const bad = [
      '{"type":',
      '[1]',
      '{"type":"run_status"}',
      '{"type":"x","__proto__":{}}',
      `${'['.repeat(70)}${']'.repeat(70)}`,
    ]
    const text = bad.map((json, i) => sseFrame(`e.${i + 1}.t`, json)).join('')
    const stream = bytes(`${text}data: {"type":"x"}\n\n${frame(9, say('still here'))}`)
    expect(read([stream], { reading: strictReading() })).toEqual([
      'malformed invalid_json',
      'malformed malformed_event at ',
      'malformed malformed_event at timestamp',
      'malformed forbidden_key at __proto__',
      'malformed too_deep',
      'malformed malformed_frame at cursor',
      '9 still here',
    ])
    // A browser leaves the strict checks to the server.
    expect(read([stream])).toEqual([
      'malformed invalid_json',
      'malformed malformed_event at ',
      'malformed malformed_event at timestamp',
      '4 undefined',
      'malformed malformed_event at ',
      'malformed malformed_frame at cursor',
      '9 still here',
    ])
  })

  test('HP-ENC-1 rejects an event with invalid UTF-8 in any chunks, and accepts U+FFFD as a character', () => {
    const bad = [...bytes(frame(1, say('\uFFFD fine')))]
    const broken = [...bytes(frame(2, say('x☃y')))]
    broken.splice(broken.indexOf(0xe2) + 1, 1)
    const all = Uint8Array.from([
      ...bad,
      ...broken,
      ...bytes(frame(3, say('after'))),
      ...bytes(frame(4, say('\uFFFD'))),
    ])
    for (const size of [1, 2, 3, 5, 8]) {
      const reading = strictReading()
      expect(read(inPieces(all, size), { reading })).toEqual([
        '1 \uFFFD fine',
        'malformed invalid_utf8',
        '3 after',
        '4 \uFFFD',
      ])
    }
    const oneChunk = Uint8Array.from([...bytes(frame(1, say('before'))), ...broken, ...broken])
    expect(read([oneChunk], { reading: strictReading() })).toEqual([
      '1 before',
      'malformed invalid_utf8',
      'malformed invalid_utf8',
    ])
  })

  test('HP-SSE-6 skips an oversized event completely, in one chunk or many', () => {
    const huge = frame(2, say('x'.repeat(9000)))
    const all = bytes(frame(1, say('a')) + huge + frame(3, say('c')))
    for (const size of [1, 2, 3, 5, 7, 100, 1000, all.length]) {
      expect(read(inPieces(all, size), { maxBytes: 2000 })).toEqual(['1 a', 'malformed too_large', '3 c'])
    }
  })

  test('HP-SSE-6 never reads the inside of an oversized event as fields', () => {
    // Cut so that a chunk begins with text that looks like a frame.
    const inside = 'data: {"type":"note","text":"forged"}'
    const head = `id: e.1.t\ndata: {"type":"note","text":"${'x'.repeat(4000)}`
    const chunks = [
      head,
      `${inside}`,
      `id: e.7.t${'y'.repeat(4000)}`,
      `${inside}"}\n`,
      `${inside}\n\n`,
      frame(2, say('b')),
    ]
    expect(read(chunks.map(bytes), { maxBytes: 2000 })).toEqual(['malformed too_large', '2 b'])
  })

  test('HP-SSE-6 uses bounded memory for an endless line', () => {
    const heard: string[] = []
    const feed = createSseReader(
      { events() {}, reset() {}, alive() {}, malformed: ({ code }) => heard.push(code) },
      { maxBytes: 10_000 },
    )
    const chunk = bytes('z'.repeat(5000))
    for (let i = 0; i < 2000; i++) feed(chunk)
    expect(heard).toEqual(['too_large'])
  })
})
