import type { BodyLimits } from './http-request.ts'
import { refuse } from './refuse.ts'

/**
 * The number of bytes of an oversized body that are read and dropped. A sender that is still sending would see a broken
 * connection instead of the refusal, and most oversized bodies exceed the limit only slightly.
 */
const patience = 1024 * 1024

/** Reads a body's chunks, limited in size and time. */
export async function readBody(
  chunks: AsyncIterable<Uint8Array>,
  declared: string | null,
  limits: BodyLimits,
): Promise<Uint8Array> {
  const { maxBytes, timeoutMs, clock } = limits
  if (Number(declared) > maxBytes + patience) tooLarge(maxBytes)
  const iterator = chunks[Symbol.asyncIterator]()
  let timer: unknown
  const late = new Promise<'late'>((resolve) => {
    timer = clock.setTimeout(() => resolve('late'), timeoutMs)
  })
  const parts: Uint8Array[] = []
  let size = 0
  try {
    for (;;) {
      const next = await Promise.race([iterator.next(), late])
      if (next === 'late') {
        refuse(
          'request_timeout',
          `The body did not arrive within ${timeoutMs / 1000} seconds. Nothing of it was read: send it again, whole.`,
        )
      }
      if (next.done && size <= maxBytes) return join(parts, size)
      if (next.done) tooLarge(maxBytes)
      size += next.value.byteLength
      if (size > maxBytes + patience) tooLarge(maxBytes)
      if (size <= maxBytes) parts.push(next.value)
    }
  } finally {
    clock.clearTimeout(timer)
    // Ends the source if reading stopped early. Errors of ending it do not matter then.
    Promise.resolve(iterator.return?.()).catch(() => {})
  }
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

function join(parts: readonly Uint8Array[], size: number): Uint8Array {
  const [only] = parts
  if (parts.length === 1 && only) return only
  const all = new Uint8Array(size)
  let end = 0
  for (const part of parts) {
    all.set(part, end)
    end += part.byteLength
  }
  return all
}
