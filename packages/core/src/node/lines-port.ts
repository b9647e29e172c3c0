import { createInterface } from 'node:readline'
import type { Readable, Writable } from 'node:stream'
import type { PortLike } from '../transport/message-port.ts'

/**
 * A port for `messagePort` over two streams, one line of JSON for each frame: the person's side of `attachStdio`, in a
 * program that the agent started, or in one that started the agent. The streams stay the caller's.
 *
 * @example
 * const transport = messagePort(linesPort({ input: process.stdin, output: process.stdout }))
 * const client = createHoldpointClient({ sessionId, transport })
 */
export function linesPort({ input, output }: { input: Readable; output: Writable }): PortLike {
  const reader = createInterface({ input })
  // A pipe that breaks is the other side's end: `close` tells of it.
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
