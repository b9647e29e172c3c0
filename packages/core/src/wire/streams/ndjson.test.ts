import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createNdjsonReader, ndjsonLine } from './ndjson.ts'

function read(chunks: Iterable<Uint8Array>, options?: { maxBytes: number }) {
  const heard: unknown[] = []
  const feed = createNdjsonReader(
    { value: (value) => heard.push(value), malformed: ({ code }) => heard.push(`! ${code}`) },
    options,
  )
  for (const chunk of chunks) feed(chunk)
  return heard
}
const bytes = (text: string) => new TextEncoder().encode(text)

describe('NDJSON', () => {
  test('HP-FRM-5 has the same values for every division into chunks', () => {
    fc.assert(
      fc.property(fc.array(fc.jsonValue(), { maxLength: 5 }), fc.integer({ min: 1, max: 20 }), (values, size) => {
        fc.pre(!JSON.stringify(values).includes('__proto__'))
        const all = bytes(values.map(ndjsonLine).join(''))
        const chunks = Array.from({ length: Math.ceil(all.length / size) }, (_, i) =>
          all.subarray(i * size, (i + 1) * size),
        )
        expect(read(chunks)).toEqual(JSON.parse(JSON.stringify(values)))
      }),
    )
  })

  test('HP-FRM-5 has one value in each complete line, with LF or CRLF, and ignores blank lines', () => {
    expect(ndjsonLine({ text: 'a\nb\r\u2028' }).match(/[\n\r]/g)).toEqual(['\n'])
    expect(read([bytes('{"a":1}\r\n\n  \n{"b":2}\n{"c":3}')])).toEqual([{ a: 1 }, { b: 2 }])
    expect(() => ndjsonLine(undefined)).toThrow(expect.objectContaining({ code: 'unsafe_frame' }))
  })

  test('HP-FRM-1 reports an invalid line without effect on others', () => {
    const bad = Uint8Array.from([0x22, 0xff, 0x22, 0x0a])
    expect(
      read([bytes('nope\n'), bad, bytes(`"${'x'.repeat(50)}"\n`), bytes('"\uFFFD"\n1\n')], { maxBytes: 40 }),
    ).toEqual(['! invalid_json', '! invalid_utf8', '! too_large', '\uFFFD', 1])
  })

  test('HP-ENC-7 does not keep an endless line in memory', () => {
    const heard: unknown[] = []
    const feed = createNdjsonReader(
      { value: (value) => heard.push(value), malformed: ({ code }) => heard.push(`! ${code}`) },
      { maxBytes: 10_000 },
    )
    const before = process.memoryUsage().heapUsed
    for (let i = 0; i < 5000; i++) feed(bytes(`${i} `.repeat(10_000)))
    // 250 to 590 MB passed through.
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(120e6)
    feed(bytes('\n"on"\n'))
    expect(heard).toEqual(['! too_large', 'on'])
  })
})
