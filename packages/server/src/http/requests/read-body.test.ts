import { expect, test } from 'vitest'
import { FakeClock, settle } from '../../../test/http/support/fake-clock.ts'
import { limitedChunks, readBody } from './read-body.ts'

const KiB = 1024

/** A body whose chunks arrive when the test sends them. */
function body() {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
  const writer = writable.getWriter()
  const abort = () => writer.abort(Object.assign(new Error('aborted'), { code: 'ECONNRESET' }))
  return { readable, send: (bytes: number) => writer.write(new Uint8Array(bytes)), end: () => writer.close(), abort }
}

test('a large body may arrive slowly, if 256 KiB arrive within the time limit', async () => {
  const clock = new FakeClock()
  const { readable, send, end } = body()
  const reading = readBody(readable, null, { maxBytes: 4 * 1024 * KiB, timeoutMs: 10_000, clock })
  for (let n = 0; n < 12; n++) {
    await send(128 * KiB)
    // The body waits for its next chunk from here on.
    await settle()
    await clock.advance(4_000)
  }
  await end()
  expect((await reading).byteLength).toBe(12 * 128 * KiB)
})

test('a body that arrives more slowly is refused, however many chunks it has', async () => {
  const clock = new FakeClock()
  const { readable, send } = body()
  const reading = readBody(readable, null, { maxBytes: 4 * 1024 * KiB, timeoutMs: 10_000, clock })
  const refused = expect(reading).rejects.toMatchObject({ code: 'request_timeout' })
  for (let n = 0; n < 4; n++) {
    void send(KiB).catch(() => {})
    await clock.advance(3_000)
  }
  await refused
})

test('a client that leaves while it sends is refused, and is no failure of the server', async () => {
  const clock = new FakeClock()
  const { readable, send, abort } = body()
  const reading = readBody(readable, null, { maxBytes: 8 * KiB, timeoutMs: 10_000, clock })
  const refused = expect(reading).rejects.toMatchObject({ code: 'invalid_message' })
  await send(KiB)
  await abort()
  await refused
})

test('the time that the reader of the chunks needs does not count', async () => {
  const clock = new FakeClock()
  const { readable, send, end } = body()
  void send(KiB)
  let size = 0
  const reading = (async () => {
    for await (const chunk of limitedChunks(readable, null, { maxBytes: 8 * KiB, timeoutMs: 10_000, clock })) {
      size += chunk.byteLength
      await clock.advance(60_000)
    }
  })()
  void send(KiB).then(() => end())
  await reading
  expect(size).toBe(2 * KiB)
})

test('chunks beyond the limit are not passed on, and the body is refused', async () => {
  const clock = new FakeClock()
  const { readable, send, end } = body()
  const passed: number[] = []
  const reading = (async () => {
    const limits = { maxBytes: 3 * KiB, timeoutMs: 10_000, clock }
    for await (const chunk of limitedChunks(readable, null, limits)) passed.push(chunk.byteLength)
  })()
  const refused = expect(reading).rejects.toMatchObject({ code: 'too_large' })
  for (let n = 0; n < 5; n++) await send(KiB)
  await end()
  await refused
  expect(passed).toEqual([KiB, KiB, KiB])
})
