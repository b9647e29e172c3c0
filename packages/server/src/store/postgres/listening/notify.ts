import type { Connections } from '../pool/connections.ts'

/** The maximum size of a payload. PostgreSQL rejects payloads of 8,000 bytes or more. */
const PAYLOAD_BYTES = 7_900

/** Notifies other processes of commits after they are done. */
export interface Notifier {
  add(partition: string): void
  /** Resolves when no notification is pending. */
  idle(): Promise<void>
}

/**
 * Creates a notifier that runs NOTIFY after the commits, in one statement for all commits since the last one. Within a
 * transaction, NOTIFY would queue all commits of the database behind one lock. Failures are ignored, because a
 * notification is a hint and other processes poll.
 */
export function createNotifier(connections: Connections, channel: string, author: string): Notifier {
  let waiting = new Set<string>()
  let sending: Promise<void> | undefined

  const send = async () => {
    while (waiting.size > 0) {
      const names = [...waiting]
      waiting = new Set()
      const payloads = chunkPayloads(author, names)
      if (payloads.length === 0) continue
      await connections
        .write('SELECT pg_notify($1, payload) FROM unnest($2::text[]) AS payload', [channel, payloads])
        .catch(() => {})
    }
    sending = undefined
  }

  return {
    add(partition) {
      waiting.add(partition)
      sending ??= Promise.resolve().then(send)
    },
    idle: async () => await sending,
  }
}

/**
 * Packs names into as few payloads as possible: JSON arrays that start with the author. A name that is too long is
 * omitted.
 */
export function chunkPayloads(author: string, names: readonly string[]): string[] {
  const head = `[${JSON.stringify(author)}`
  const payloads: string[] = []
  let payload = head
  let bytes = head.length + 1
  for (const name of names) {
    const part = `,${JSON.stringify(name)}`
    const size = Buffer.byteLength(part)
    if (head.length + 1 + size > PAYLOAD_BYTES) continue
    if (bytes + size > PAYLOAD_BYTES) {
      payloads.push(`${payload}]`)
      payload = head
      bytes = head.length + 1
    }
    payload += part
    bytes += size
  }
  if (payload !== head) payloads.push(`${payload}]`)
  return payloads
}

/** Reads a payload; undefined for payloads of other programs. */
export function readPayload(payload: string | undefined): { author: string; names: string[] } | undefined {
  try {
    const parsed: unknown = JSON.parse(payload ?? '')
    if (!Array.isArray(parsed) || !parsed.every((one) => typeof one === 'string')) return undefined
    const [author, ...names] = parsed
    return author === undefined ? undefined : { author, names }
  } catch {
    return undefined
  }
}
