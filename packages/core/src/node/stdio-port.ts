import { createInterface } from 'node:readline'
import type { Readable, Writable } from 'node:stream'
import type { PortLike } from '../transport/message-port.ts'

/**
 * A port for `messagePort` over two streams, with one line of JSON for each frame: the user's side of `attachStdio`, in
 * a program that the agent started or that started the agent. The caller keeps ownership of the streams.
 *
 * @example
 * const transport = messagePort(stdioPort({ input: process.stdin, output: process.stdout }))
 * const client = createHoldpointClient({ sessionId, transport })
 */
export function stdioPort({ input, output }: { input: Readable; output: Writable }): PortLike {
  const reader = createInterface({ input })
  // A broken pipe means that the peer ended; `close` reports it.
  output.on('error', () => reader.close())
  return {
    postMessage: (message) => {
      if (output.writable) output.write(`${message}\n`)
    },
    addEventListener(type, listener) {
      if (type === 'close') reader.on('close', () => listener({}))
      else reader.on('line', (data) => listener({ data }))
    },
  }
}
