import { setImmediate } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { seeded } from '@holdpoint/conformance/seeded'
import { expect, test } from 'vitest'
import { partsOf } from './multipart.ts'

/** Collects garbage several times, because buffers are freed beside it, and returns the bytes that stay in use. */
async function heldBuffers(): Promise<number> {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc')
  let least = Number.POSITIVE_INFINITY
  for (let n = 0; n < 5; n++) {
    collect()
    await setImmediate()
    least = Math.min(least, process.memoryUsage().arrayBuffers)
  }
  return least
}

/** A form as the platform encodes it, which is how browsers do. */
async function encoded(form: FormData) {
  const response = new Response(form)
  return { bytes: new Uint8Array(await response.arrayBuffer()), type: response.headers.get('content-type') ?? '' }
}

async function* inChunks(bytes: Uint8Array, size: () => number) {
  for (let at = 0; at < bytes.byteLength; ) {
    const end = at + size()
    yield bytes.subarray(at, end)
    at = end
  }
}

async function all(chunks: AsyncIterable<Uint8Array>, type: string, maxBytes = 1e9) {
  const found: [string, string | undefined, string, Uint8Array | null][] = []
  for await (const { name, fileName, type: own, read } of partsOf(chunks, type)) {
    found.push([name, fileName, own, await read(maxBytes)])
  }
  return found
}

const text = (value: string) => new TextEncoder().encode(value)
const form = () => {
  const form = new FormData()
  form.append('f.na"me', 'Ada\r\n--x')
  form.append('f.empty', '')
  form.append('f.doc', new File(['a\r\n\r\nb\r\n--'], 'Grüße "1"; filename=x.txt', { type: 'text/plain' }))
  form.append('f.doc', new File([new Uint8Array([13, 10, 13, 10, 45, 45, 13])], 'b', { type: '' }))
  return form
}
const expected = [
  ['f.na"me', undefined, 'application/octet-stream', text('Ada\r\n--x')],
  ['f.empty', undefined, 'application/octet-stream', text('')],
  ['f.doc', 'Grüße "1"; filename=x.txt', 'text/plain', text('a\r\n\r\nb\r\n--')],
  ['f.doc', 'b', 'application/octet-stream', new Uint8Array([13, 10, 13, 10, 45, 45, 13])],
]

test('a form is read as a browser encodes it, however its bytes arrive', async () => {
  const { bytes, type } = await encoded(form())
  expect(
    await all(
      inChunks(bytes, () => bytes.byteLength),
      type,
    ),
  ).toEqual(expected)
  expect(
    await all(
      inChunks(bytes, () => 1),
      type,
    ),
  ).toEqual(expected)
  for (let seed = 1; seed <= 200; seed++) {
    const random = seeded(seed)
    const found = await all(
      inChunks(bytes, () => 1 + Math.floor(random() * 80)),
      type,
    )
    expect(found, `seed ${seed}`).toEqual(expected)
  }
})

test('random files that contain pieces of the delimiter are read unchanged', async () => {
  for (let seed = 1; seed <= 200; seed++) {
    const random = seeded(seed)
    const below = (n: number) => Math.floor(random() * n)
    const pieces = ['\r', '\n', '\r\n', '\r\n--', '--', '\r\n--AaB', 'x', '\u00ff']
    const one = () => Array.from({ length: below(40) }, () => pieces[below(pieces.length)]).join('')
    const files = Array.from({ length: 1 + below(4) }, one)
    const body = files.map(
      (file) => `--AaB03x\r\nContent-Disposition: form-data; name="f"; filename="a"\r\n\r\n${file}\r\n`,
    )
    const bytes = text(`${body.join('')}--AaB03x--`)
    const found = await all(
      inChunks(bytes, () => 1 + below(30)),
      'multipart/form-data; boundary=AaB03x',
    )
    expect(
      found.map(([, , , read]) => new TextDecoder().decode(read ?? undefined)),
      `seed ${seed}`,
    ).toEqual(files)
  }
})

test('a file input without a file has an empty file name', async () => {
  const body =
    '--b\r\nContent-Disposition: form-data; name="f"; filename=""\r\nContent-Type: application/octet-stream\r\n\r\n\r\n--b--\r\n'
  const found = await all(
    inChunks(text(body), () => 10),
    'multipart/form-data; boundary="b"',
  )
  expect(found).toEqual([['f', '', 'application/octet-stream', text('')]])
})

test('a part that is too large is dropped, and the parts after it are read', async () => {
  const { bytes, type } = await encoded(form())
  const found = await all(
    inChunks(bytes, () => 7),
    type,
    7,
  )
  expect(found.map(([, , , read]) => read?.byteLength ?? null)).toEqual([null, 0, null, 7])
})

test('a part that the caller does not read is passed over', async () => {
  const { bytes, type } = await encoded(form())
  const names: string[] = []
  for await (const { name } of partsOf(
    inChunks(bytes, () => 11),
    type,
  ))
    names.push(name)
  expect(names).toEqual(expected.map(([name]) => name))
})

test('a part that is too large does not stay in memory while it arrives', async () => {
  const held: number[] = []
  async function* large() {
    yield text('--b\r\nContent-Disposition: form-data; name="f"; filename="a"\r\n\r\n')
    for (let n = 0; n < 400; n++) {
      if (n % 200 === 0) held.push(await heldBuffers())
      yield new Uint8Array(128 * 1024).fill(97)
    }
    held.push(await heldBuffers())
    yield text('\r\n--b--')
  }
  const found = await all(large(), 'multipart/form-data; boundary=b', 100)
  expect(found).toEqual([['f', 'a', 'application/octet-stream', null]])
  // 50 MiB have arrived.
  const [before = 0, ...later] = held
  expect(Math.max(...later) - before).toBeLessThan(8 * 1024 * 1024)
})

test.each([
  ['no boundary', 'multipart/form-data', '--b--'],
  ['no delimiter', 'multipart/form-data; boundary=b', 'nonsense'],
  ['no end', 'multipart/form-data; boundary=b', '--b\r\nContent-Disposition: form-data; name="f"\r\n\r\nx'],
  ['no headers', 'multipart/form-data; boundary=b', '--b\r\n\r\n\r\n\r\nx\r\n--b--'],
  ['no name', 'multipart/form-data; boundary=b', '--b\r\nContent-Disposition: form-data\r\n\r\nx\r\n--b--'],
  ['endless headers', 'multipart/form-data; boundary=b', `--b\r\n${'a: b\r\n'.repeat(5_000)}\r\n\r\nx\r\n--b--`],
  [
    'too many parts',
    'multipart/form-data; boundary=b',
    `${'--b\r\nContent-Disposition: form-data; name="f"\r\n\r\nx\r\n'.repeat(5_001)}--b--`,
  ],
])('a body with %s is refused', async (_what, type, body) => {
  await expect(
    all(
      inChunks(text(body), () => 1_000),
      type,
    ),
  ).rejects.toMatchObject({ code: 'invalid_message' })
})

test('reading ends the source of the chunks, also when it stops early', async () => {
  const { bytes, type } = await encoded(form())
  let isEnded = false
  async function* source() {
    try {
      yield* inChunks(bytes, () => 9)
    } finally {
      isEnded = true
    }
  }
  for await (const _ of partsOf(source(), type)) break
  expect(isEnded).toBe(true)
})
