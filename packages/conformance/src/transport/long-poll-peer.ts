import type { IncomingMessage, ServerResponse } from 'node:http'
import { longPoll } from '@holdpoint/core'
import { httpPeer, refused, writeScripted } from './http-peer.ts'
import {
  type ConnectionScript,
  cursorOf,
  emptySnapshot,
  framesOf,
  type PeerTraits,
  type ScriptFrame,
} from './script.ts'

/** A real server that answers polls, for the `longPoll` driver. A request with `wait=0` begins a connection. */
export const longPollPeer: PeerTraits = {
  credentials: true,
  framewise: false,
  async make(bearer) {
    let script: ConnectionScript = {}
    let pages: Uint8Array[] = []
    const peer = await httpPeer((request, response, url) => {
      if (url.searchParams.get('wait') === '0') {
        const { cursor } = peer.see(request, url, response)
        script = peer.scripts.next()
        if (refused(script, request, response)) return
        pages = pagesOf(script, cursor)
      } else watch(response)
      const page = pages.shift()
      if (page) void send(request, response, script, page)
      else if (script.ending === 'end' || script.cutAfter !== undefined) request.socket.destroy()
    })
    const watch = (response: ServerResponse) => {
      const seen = peer.connections.at(-1)
      if (!seen) return
      seen.closed = false
      response.once('close', () => {
        seen.closed = true
      })
    }
    return {
      transport: longPoll({ url: peer.url, headers: () => ({ authorization: `Bearer ${bearer()}` }) }),
      connections: peer.connections,
      calls: peer.calls,
      play: peer.scripts.add,
      answer: peer.answers.add,
      bytesOf: (script) => pagesOf(script, null)[0]?.length ?? 0,
      stop: peer.stop,
    }
  },
}

/** Frames as responses: consecutive frames share a page, all others have their own. A first page always exists. */
function pagesOf(script: ConnectionScript, cursor: string | null): Uint8Array[] {
  const pages: { cursor: string; events: unknown[]; seq: number }[] = []
  const others = new Map<number, unknown>()
  for (const frame of framesOf(script, cursor)) {
    const last = pages.at(-1)
    if (!('seq' in frame)) {
      others.set(pages.length, other(frame))
      pages.push({ cursor: '', events: [], seq: -1 })
    } else if (last && last.seq + 1 === frame.seq) {
      last.events.push(frame.event)
      last.cursor = cursorOf(frame)
      last.seq = frame.seq
    } else pages.push({ cursor: cursorOf(frame), events: [frame.event], seq: frame.seq })
  }
  const bodies = pages.map(({ cursor, events }, i) => others.get(i) ?? { cursor, events })
  if (bodies.length === 0) bodies.push({ cursor: cursor ?? emptySnapshot.cursor, events: [] })
  return bodies.map((body) => new TextEncoder().encode(typeof body === 'string' ? body : JSON.stringify(body)))
}

function other(frame: Exclude<ScriptFrame, { seq: number }>): unknown {
  if ('garbage' in frame) return frame.garbage
  return 'reset' in frame ? { reset: frame.reset } : { cursor: emptySnapshot.cursor, events: [] }
}

async function send(request: IncomingMessage, response: ServerResponse, script: ConnectionScript, page: Uint8Array) {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': page.length })
  response.flushHeaders()
  await writeScripted((piece) => new Promise((resolve) => void response.write(piece, () => resolve())), page, script)
  if (script.cutAfter === undefined || script.cutAfter >= page.length) response.end()
  else request.socket.destroy()
}
