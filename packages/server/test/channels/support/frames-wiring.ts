import type { Answered } from '@holdpoint/conformance/channel'

/** A raw peer at the other end of a channel of frames, which sends and receives single frames. */
export interface RawPeer {
  send(frame: Uint8Array | string): void
  /** The next frame that is an answer. */
  answer(): Promise<Answered & { id: string }>
}

/** Collects answers from whatever texts arrive. */
export function answers(): { take(text: string): void; next(): Promise<Answered & { id: string }> } {
  const ready: (Answered & { id: string })[] = []
  const waiting: ((answer: Answered & { id: string }) => void)[] = []
  return {
    take(text) {
      const frame = JSON.parse(text)
      if (typeof frame.status !== 'number') return
      const next = waiting.shift()
      if (next) next(frame)
      else ready.push(frame)
    },
    next() {
      const first = ready.shift()
      return first ? Promise.resolve(first) : new Promise((resolve) => waiting.push(resolve))
    },
  }
}

/** Puts anything in the place of a frame's message: bytes stay bytes. */
export function rawFrame(message: Uint8Array | string): Uint8Array | string {
  if (typeof message === 'string') return `{"id":"raw","message":${message}}`
  return Buffer.concat([Buffer.from('{"id":"raw","message":'), message, Buffer.from('}')])
}

/** Opens a session over a channel without a URL, and sends one raw message in it. */
export async function rawMessage(peer: RawPeer, session: string, message: Uint8Array | string): Promise<Answered> {
  peer.send(JSON.stringify({ id: 'open', open: { session, client: 'raw' } }))
  await peer.answer()
  // A line break would make two lines of one, and each would be answered.
  peer.send(
    rawFrame(typeof message === 'string' ? message.replaceAll('\n', ' ') : message.filter((byte) => byte !== 10)),
  )
  const { status, body } = await peer.answer()
  return { status, body }
}
