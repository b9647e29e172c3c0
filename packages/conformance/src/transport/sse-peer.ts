import type { ServerResponse } from 'node:http'
import { sse } from '@holdpoint/core'
import { sseFrame, sseHeartbeat } from '@holdpoint/core/internal'

import { httpPeer, refused, writeScripted } from './http-peer.ts'
import { type ConnectionScript, cursorOf, framesOf, type PeerTraits, type ScriptFrame } from './script.ts'

/** A real `text/event-stream` server for the `sse` driver. */
export const ssePeer: PeerTraits = {
  credentials: true,
  framewise: true,
  async make(bearer) {
    const peer = await httpPeer((request, response, url) => {
      const { cursor } = peer.see(request, url, response)
      const script = peer.scripts.next()
      if (!refused(script, request, response)) void stream(response, script, encode(script, cursor))
    })
    return {
      transport: sse({ url: `${peer.url}/`, headers: async () => ({ authorization: `Bearer ${bearer()}` }) }),
      connections: peer.connections,
      calls: peer.calls,
      play: peer.scripts.add,
      answer: peer.answers.add,
      bytesOf: (script) => encode(script, null).length,
      stop: peer.stop,
    }
  },
}

const encode = (script: ConnectionScript, cursor: string | null) =>
  new TextEncoder().encode(framesOf(script, cursor).map(text).join(''))

function text(frame: ScriptFrame): string {
  if ('garbage' in frame) return `id: e1.1.t\ndata: ${frame.garbage}\n\n`
  if ('reset' in frame) return `event: reset\ndata: ${JSON.stringify({ reason: frame.reset })}\n\n`
  return 'heartbeat' in frame ? sseHeartbeat : sseFrame(cursorOf(frame), JSON.stringify(frame.event))
}

async function stream(response: ServerResponse, script: ConnectionScript, bytes: Uint8Array) {
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' })
  response.flushHeaders()
  await writeScripted((piece) => new Promise((resolve) => void response.write(piece, () => resolve())), bytes, script)
  if (script.cutAfter !== undefined) response.socket?.destroy()
  else if (script.ending === 'end') response.end()
}
