import type { EventBatch } from '../http/hub/event-batch.ts'
import { appOf, type Mounted } from '../http/mounted.ts'
import { type ChannelOptions, FrameChannel } from './frame-channel.ts'

/** The part of a MessagePort that is used. Ports of workers, Electron and node:worker_threads have it too. */
interface ServedPort {
  postMessage(message: string): void
  addEventListener(type: 'message' | 'close', listener: (event: { data?: unknown }) => void): void
  removeEventListener(type: 'message' | 'close', listener: (event: { data?: unknown }) => void): void
  start?(): void
}

/**
 * Serves one user over a MessagePort whose other end uses the client's `messagePort()`. Returns a function that ends it
 * without closing the port.
 *
 * @example
 * const { port1, port2 } = new MessageChannel()
 * attachMessagePort(port1, holdpoint, { principal: { userId: 'ada' } })
 */
export function attachMessagePort(port: ServedPort, holdpoint: Mounted, options: ChannelOptions): () => void {
  const channel = new FrameChannel(
    appOf(holdpoint),
    {
      sendEvent: (batch: EventBatch, seq: number) => port.postMessage(batch.frameText(seq)),
      sendText: (text) => port.postMessage(text),
      // A port does not report how many bytes are queued.
      buffered: () => 0,
      drained: async () => {},
    },
    options,
  )
  const onMessage = ({ data }: { data?: unknown }) => {
    void channel.receive(typeof data === 'string' || data instanceof Uint8Array ? data : '')
  }
  const detach = () => {
    channel.close()
    port.removeEventListener('message', onMessage)
    port.removeEventListener('close', detach)
  }
  port.addEventListener('message', onMessage)
  port.addEventListener('close', detach)
  port.start?.()
  return detach
}
