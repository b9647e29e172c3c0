import type { MemoryPeer, MemorySink, SendResult } from '@holdpoint/core/internal'
import { memoryTransport } from '@holdpoint/core/testing'

import {
  accepted,
  type ConnectionScript,
  cursorOf,
  framesOf,
  type MessageScript,
  type PeerTraits,
  queue,
  routine,
  type ScriptFrame,
  type SeenCall,
  type SeenConnection,
} from './script.ts'

/** A peer in the same process, for `memoryTransport`. */
export const memoryPeer: PeerTraits = {
  credentials: false,
  framewise: false,
  async make() {
    const scripts = queue<ConnectionScript>({})
    const answers = queue<MessageScript>(accepted)
    const connections: SeenConnection[] = []
    const calls: SeenCall[] = []
    const peer: MemoryPeer = {
      subscribe(reader, sink) {
        const seen = { ...reader, bearer: null, closed: false }
        connections.push(seen)
        void perform(scripts.next(), reader.cursor, sink)
        return () => {
          seen.closed = true
        }
      },
      call({ method, path, body }): SendResult | Promise<SendResult> {
        calls.push({ method, path, body, bearer: null })
        const answer = path.endsWith('/messages') ? answers.next() : routine(path)
        if (answer === 'destroy') throw new Error('The peer is gone.')
        return answer === 'hold' ? new Promise(() => {}) : answer
      },
    }
    return {
      transport: memoryTransport(peer),
      connections,
      calls,
      play: scripts.add,
      answer: answers.add,
      bytesOf: (script) => framesOf(script, null).length,
      async stop() {},
    }
  },
}

async function perform(script: ConnectionScript, cursor: string | null, sink: MemorySink) {
  await Promise.resolve()
  if (script.hold) return
  if (script.cutAfter === -1) return sink.end({ code: 'network', message: 'Cut.' })
  const { status, retryAfterSeconds } = script
  if (status !== undefined) {
    const retry = retryAfterSeconds === undefined ? {} : { retryAfterMs: retryAfterSeconds * 1000 }
    return sink.end({ code: codes[status] ?? 'server', message: `Refused: ${status}.`, ...retry })
  }
  sink.open()
  for (const frame of framesOf(script, cursor).slice(0, script.cutAfter)) hand(frame, sink)
  if (script.ending === 'end' || script.cutAfter !== undefined) sink.end({ code: 'ended', message: 'Over.' })
}

const codes: Record<number, 'unauthorized' | 'forbidden' | 'not_found' | 'rate_limited'> = {
  401: 'unauthorized',
  403: 'forbidden',
  404: 'not_found',
  429: 'rate_limited',
}

function hand(frame: ScriptFrame, sink: MemorySink) {
  if ('reset' in frame) sink.reset(frame.reset as Parameters<MemorySink['reset']>[0])
  else if ('seq' in frame) sink.events([{ cursor: cursorOf(frame), event: frame.event as { type: string } }])
  else sink.alive()
}
