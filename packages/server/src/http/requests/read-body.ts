import { isHoldpointError } from '@holdpoint/core'
import type { BodyLimits, Incoming } from './http-request.ts'
import { refuse } from './refuse.ts'

/**
 * The number of bytes of an oversized body that are read and dropped. A sender that is still sending would see a broken
 * connection instead of the refusal, and most oversized bodies exceed the limit only slightly.
 */
const PATIENCE = 1024 * 1024

/** The bytes that must arrive within the time limit. Messages are smaller, so the limit is that of the whole body. */
const PROGRESS = 256 * 1024

/** Reads a whole body, limited in size and time. */
export async function readBody(
  chunks: AsyncIterable<Uint8Array>,
  declared: string | null,
  limits: BodyLimits,
): Promise<Uint8Array> {
  const parts: Uint8Array[] = []
  for await (const part of limitedChunks(chunks, declared, limits)) parts.push(part)
  return join(parts)
}

/**
 * Yields a body's chunks, limited in size and time. The time begins again after each `PROGRESS` bytes, so that a large
 * body may arrive slowly. The time that the caller needs for a chunk does not count.
 */
export async function* limitedChunks(
  chunks: AsyncIterable<Uint8Array>,
  declared: string | null,
  limits: BodyLimits,
): AsyncGenerator<Uint8Array> {
  const { maxBytes, timeoutMs, clock } = limits
  if (Number(declared) > maxBytes + PATIENCE) tooLarge(maxBytes)
  const iterator = chunks[Symbol.asyncIterator]()
  let size = 0
  let leftMs = timeoutMs
  try {
    for (;;) {
      const began = clock.elapsed()
      const next = await within(iterator.next().catch(cutOff), leftMs, limits)
      if (next.done && size <= maxBytes) return
      if (next.done) tooLarge(maxBytes)
      const before = size
      size += next.value.byteLength
      const isProgress = Math.floor(before / PROGRESS) < Math.floor(size / PROGRESS)
      leftMs = isProgress ? timeoutMs : leftMs - (clock.elapsed() - began)
      if (size > maxBytes + PATIENCE) tooLarge(maxBytes)
      if (size <= maxBytes) yield next.value
    }
  } finally {
    // Ends the source if reading stopped early. Errors of ending it do not matter then.
    Promise.resolve(iterator.return?.()).catch(() => {})
  }
}

/** Yields a body that a channel passes as a whole. */
export async function* wholeBody(incoming: Incoming, limits: BodyLimits): AsyncGenerator<Uint8Array> {
  const body = await incoming.readBody(limits)
  yield typeof body === 'string' ? new TextEncoder().encode(body) : body
}

async function within<T>(next: Promise<T>, leftMs: number, { timeoutMs, clock }: BodyLimits): Promise<T> {
  let timer: unknown
  const late = new Promise<'late'>((resolve) => {
    timer = clock.setTimeout(() => resolve('late'), Math.max(0, leftMs))
  })
  try {
    const first = await Promise.race([next, late])
    if (first !== 'late') return first as T
  } finally {
    clock.clearTimeout(timer)
  }
  refuse(
    'request_timeout',
    `The body did not arrive within ${timeoutMs / 1000} seconds. Nothing of it was read: send it again, whole.`,
  )
}

/**
 * The client left while it sent. That is no failure of the server, so the log has no line for it; a proxy that still
 * listens gets the reason.
 */
function cutOff(error: unknown): never {
  if (isHoldpointError(error)) throw error
  refuse(
    'invalid_message',
    'The connection ended before the whole body arrived. Nothing of it was used: send it again.',
  )
}

export function tooLarge(maxBytes: number): never {
  refuse(
    'too_large',
    `The body is larger than ${maxBytes} bytes, the limit here. Send a smaller one, or raise the limit of the server.`,
  )
}

/** Refuses a request whose body other code has read and not kept. */
export function bodyAlreadyRead(): never {
  refuse(
    'body_already_read',
    'Something read the request body before Holdpoint did, and left nothing of it. Mount Holdpoint before that middleware, or use one that leaves its result in req.body, as express.json() does.',
  )
}

function join(parts: readonly Uint8Array[]): Uint8Array {
  const [only] = parts
  if (parts.length === 1 && only) return only
  const all = new Uint8Array(parts.reduce((sum, part) => sum + part.byteLength, 0))
  let end = 0
  for (const part of parts) {
    all.set(part, end)
    end += part.byteLength
  }
  return all
}
