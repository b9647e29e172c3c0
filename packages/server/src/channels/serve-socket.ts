import type { Duplex } from 'node:stream'
import { parseChannelFrame } from '@holdpoint/core/protocol'
import type { WebSocket } from 'ws'
import type { Principal } from '../engine/port.ts'
import type { HttpApp } from '../http/app.ts'
import type { EndReason } from '../http/hub/sink.ts'
import { drained } from '../http/node/drained.ts'
import { type EventStream, refusal, replied } from '../http/outgoing.ts'
import { frameReply } from './frame-reply.ts'
import { endStatus, FrameSink } from './frame-sink.ts'

interface Served {
  principal: Principal
  session: string
  stream: EventStream
}

/** One open WebSocket: events out, messages in. */
export function serveSocket(app: HttpApp, webSocket: WebSocket, socket: Duplex, served: Served): void {
  const text = { binary: false }
  const sink = new FrameSink(
    {
      sendEvent: (batch, seq) => webSocket.send(batch.frame(seq), text),
      sendText: (frame) => webSocket.send(frame),
      buffered: () => socket.writableLength,
      drained: () => drained(socket),
    },
    (reason) => end(webSocket, reason),
  )
  const stream = served.stream.open(sink)
  webSocket.on('close', () => stream.left())
  webSocket.on('message', (data: Buffer) => {
    void receive(app, served, data).then((reply) => {
      if (webSocket.readyState === webSocket.OPEN) webSocket.send(reply)
    })
  })
}

async function receive(app: HttpApp, { principal, session }: Served, data: Buffer): Promise<string> {
  const parsed = parseChannelFrame(data, app.engine.limits)
  if (!parsed.ok) return frameReply(parsed.id, replied(parsed))
  const frame = parsed.value
  if ('message' in frame) return frameReply(frame.id, await app.messageAs(principal, session, frame.message))
  const id = 'id' in frame ? frame.id : undefined
  return frameReply(id, refusal('invalid_message', 'Over a WebSocket only messages travel; use HTTP for the rest.'))
}

function end(webSocket: WebSocket, reason: EndReason): void {
  if (reason === 'slow') webSocket.terminate()
  else if (reason === 'shutdown') webSocket.close(1001)
  else if (reason === 'reset') webSocket.close(1000)
  else webSocket.close(4000 + endStatus[reason])
}
