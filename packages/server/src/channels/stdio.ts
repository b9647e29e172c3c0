import type { Readable, Writable } from 'node:stream'
import { finished } from 'node:stream'
import { appOf, type Mounted } from '../http/mounted.ts'
import { drained } from '../http/node/drained.ts'
import { type ChannelOptions, FrameChannel } from './frame-channel.ts'
import { createLineSplitter } from './lines.ts'

/**
 * Serves one user through lines of JSON: a terminal program, a child process, a pipe. Returns a function that ends it
 * without closing the streams.
 *
 * @example
 * const child = spawn('my-terminal-ui')
 * attachStdio({ input: child.stdout, output: child.stdin }, holdpoint, { principal: { userId: 'ada' } })
 */
export function attachStdio(
  { input, output }: { input: Readable; output: Writable },
  holdpoint: Mounted,
  options: ChannelOptions,
): () => void {
  const app = appOf(holdpoint)
  const write = (line: string) => {
    if (output.writable) output.write(line)
  }
  const channel = new FrameChannel(
    app,
    {
      sendEvent: (batch, seq) => write(`${batch.frameText(seq)}\n`),
      sendText: (text) => write(`${text}\n`),
      buffered: () => output.writableLength,
      drained: () => drained(output),
    },
    options,
  )
  const split = createLineSplitter((line) => void channel.receive(line), app.engine.limits.messageBytes)
  const onData = (chunk: Uint8Array | string) => split(typeof chunk === 'string' ? Buffer.from(chunk) : chunk)
  // A broken pipe means that the client has disconnected, so the error is not reported to it.
  const onError = () => detach()
  const stops = [
    finished(input, { writable: false }, () => detach()),
    finished(output, { readable: false }, () => detach()),
  ]
  const detach = () => {
    channel.close()
    input.off('data', onData)
    output.off('error', onError)
    for (const stop of stops) stop()
  }
  input.on('data', onData)
  output.on('error', onError)
  return detach
}
