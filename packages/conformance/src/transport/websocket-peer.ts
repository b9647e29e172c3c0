import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { websocket } from '@holdpoint/core'
import { bearerFromProtocols, webSocketProtocol } from '@holdpoint/core/internal'
import { parseChannelFrame } from '@holdpoint/core/protocol'

import { type WebSocket, WebSocketServer } from 'ws'
import { type HttpPeer, httpPeer, reply, writeScripted } from './http-peer.ts'
import { type ConnectionScript, framesOf, frameText, type PeerTraits } from './script.ts'

/** A real WebSocket server for the `websocket` driver. It writes its frames to the socket byte by byte. */
export const webSocketPeer: PeerTraits = {
  credentials: true,
  framewise: true,
  async make(bearer) {
    const upgrades = new WebSocketServer({ noServer: true, handleProtocols: () => webSocketProtocol })
    const sockets = new Set<Duplex>()
    let refusal: ConnectionScript | undefined
    const peer = await httpPeer(() => {})
    // The driver requests the snapshot to find out why an upgrade was rejected, and gets the same response there.
    peer.server.prependListener('request', (request, response) => {
      if (refusal?.status === undefined || request.method !== 'GET') return
      const { status, retryAfterSeconds } = refusal
      refusal = undefined
      request.url = '/mount/sessions/refused/events'
      reply(response, { status, body: null, ...(retryAfterSeconds ? { retryAfterMs: retryAfterSeconds * 1000 } : {}) })
    })
    peer.server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
      sockets.add(socket)
      // Node's WebSocket retries a 401 once by itself. The response stays the same until the driver has asked for the
      // reason.
      const script = refusal ?? peer.scripts.next()
      const url = new URL(request.url ?? '/', 'http://peer')
      const seen = peer.see(request, url, socket)
      seen.bearer = bearerFromProtocols(request.headers['sec-websocket-protocol'] ?? '')
      if (script.hold) return
      if (script.cutAfter === -1) return socket.destroy()
      if (script.status !== undefined) {
        if (refusal) peer.connections.pop()
        refusal = script
        return socket.end(`HTTP/1.1 ${script.status} Refused\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`)
      }
      upgrades.handleUpgrade(request, socket, head, (ws) => {
        ws.on('message', (data) => answerFrame(peer, ws, String(data), seen.bearer))
        void speak(ws, socket, script, encode(script, seen.cursor))
      })
    })
    return {
      transport: websocket({ url: peer.url, headers: () => ({ authorization: `Bearer ${bearer()}` }) }),
      connections: peer.connections,
      calls: peer.calls,
      play: peer.scripts.add,
      answer: peer.answers.add,
      bytesOf: (script) => encode(script, null).length,
      async stop() {
        for (const socket of sockets) socket.destroy()
        await peer.stop()
      },
    }
  },
}

function answerFrame(peer: HttpPeer, ws: WebSocket, text: string, bearer: string | null) {
  const frame = parseChannelFrame(text)
  if (!frame.ok || !('message' in frame.value))
    throw new Error(`The driver sent a frame that no server accepts: ${text}`)
  const { id, message } = frame.value
  peer.calls.push({ method: 'POST', path: '/messages', body: message, bearer })
  const answer = peer.answers.next()
  if (answer === 'destroy') ws.terminate()
  else if (answer !== 'hold') ws.send(JSON.stringify({ id, status: answer.status, body: answer.body }))
}

const encode = (script: ConnectionScript, cursor: string | null) =>
  Buffer.concat(framesOf(script, cursor).map((frame) => textFrame(frameText(frame))))

/** An unmasked text frame, RFC 6455: final, opcode 1, length in 1, 3 or 9 bytes. */
function textFrame(text: string): Buffer {
  const payload = Buffer.from(text)
  const { length } = payload
  if (length < 126) return Buffer.concat([Buffer.from([0x81, length]), payload])
  const head = Buffer.alloc(length < 65_536 ? 4 : 10)
  head[0] = 0x81
  head[1] = length < 65_536 ? 126 : 127
  if (length < 65_536) head.writeUInt16BE(length, 2)
  else head.writeBigUInt64BE(BigInt(length), 2)
  return Buffer.concat([head, payload])
}

async function speak(ws: WebSocket, socket: Duplex, script: ConnectionScript, bytes: Uint8Array) {
  await writeScripted((piece) => new Promise((resolve) => void socket.write(piece, () => resolve())), bytes, script)
  if (script.cutAfter !== undefined) socket.destroy()
  else if (script.ending === 'end') ws.close(1000)
}
