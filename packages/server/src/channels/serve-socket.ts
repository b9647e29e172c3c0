import type { Duplex } from 'node:stream'
import { parseChannelFrame } from '@holdpoint/core/protocol'
import type { WebSocket } from 'ws'
import type { Principal } from '../base/principal.ts'
import type { HttpApp } from '../http/app.ts'
import type { Recheck } from '../http/guard/recheck.ts'
import type { EndReason } from '../http/hub/sink.ts'
import { drained } from '../http/node/drained.ts'
import { type EventStream, refusal, responseOfReply } from '../http/responses/http-response.ts'
import { frameReply } from './frame-reply.ts'
import { endStatus, FrameSink } from './frame-sink.ts'
import { SocketInflow } from './socket-inflow.ts'

interface Served {
  principal: Principal
  session: string
  stream: EventStream
  /** Returns whether the login of the principal is still valid. */
  reauthenticate(): Promise<boolean>
}

/** Serves one open WebSocket: sends events and receives messages. */
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
  const { pieceSize: unreadBytes, maxBuffered, framesInFlight } = app.tuning
  const recheck = app.recheck(served.reauthenticate)
  new SocketInflow(webSocket, socket, { framesInFlight, unreadBytes, maxBuffered }, (frame) =>
    receive(app, served, recheck, frame),
  )
}

async function receive(app: HttpApp, { principal, session }: Served, recheck: Recheck, data: Buffer): Promise<string> {
  // Counted before the frame is parsed, so that a flood of unreadable frames is limited too.
  const limited = app.limited(principal)
  if (limited) return frameReply(leadingId(data), limited)
  const parsed = parseChannelFrame(data, app.engine.limits)
  if (!parsed.ok) return frameReply(parsed.id, responseOfReply(parsed))
  const frame = parsed.value
  if ('message' in frame) return frameReply(frame.id, await app.deliver(principal, session, frame.message, recheck))
  const id = 'id' in frame ? frame.id : undefined
  return frameReply(id, refusal('invalid_message', 'Over a WebSocket only messages travel; use HTTP for the rest.'))
}

/**
 * Reads the id of a frame without parsing the frame. The id must be the first member, as clients of Holdpoint write it.
 */
function leadingId(frame: Buffer): string | undefined {
  const start = frame.subarray(0, 200).toString('latin1')
  return /^\s*\{\s*"id"\s*:\s*"([\w.:-]{1,128})"/.exec(start)?.[1]
}

function end(webSocket: WebSocket, reason: EndReason): void {
  if (reason === 'slow') webSocket.terminate()
  else if (reason === 'shutdown') webSocket.close(1001)
  else if (reason === 'reset') webSocket.close(1000)
  else webSocket.close(4000 + endStatus[reason])
}
