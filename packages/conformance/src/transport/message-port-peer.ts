import { messagePort } from '@holdpoint/core'
import type { ChannelFrame } from '@holdpoint/core/internal'
import { parseChannelFrame } from '@holdpoint/core/protocol'
import {
  accepted,
  type ConnectionScript,
  framesOf,
  frameText,
  type MessageScript,
  type PeerTraits,
  queue,
  routine,
  type SeenCall,
  type SeenConnection,
} from './script.ts'

/** The other end of a real MessageChannel, for the `messagePort` driver. */
export const messagePortPeer: PeerTraits = {
  credentials: false,
  framewise: true,
  async make() {
    const { port1, port2 } = new MessageChannel()
    const scripts = queue<ConnectionScript>({})
    const answers = queue<MessageScript>(accepted)
    const connections: SeenConnection[] = []
    const calls: SeenCall[] = []
    const say = (frame: unknown) => port2.postMessage(typeof frame === 'string' ? frame : JSON.stringify(frame))

    port2.addEventListener('message', ({ data }) => {
      const frame = parseChannelFrame(String(data))
      if (!frame.ok) throw new Error(`The driver sent a frame that no server accepts: ${String(data)}`)
      hear(frame.value)
    })
    port2.start()

    function hear(frame: ChannelFrame) {
      if ('open' in frame) return open(frame.id, frame.open)
      if ('close' in frame) return close()
      const call = 'message' in frame ? { method: 'POST', path: '/messages', body: frame.message } : frame.request
      calls.push({ method: call.method, path: call.path, body: call.body, bearer: null })
      const answer = 'message' in frame ? answers.next() : routine(call.path)
      if (answer === 'destroy') port2.close()
      else if (answer !== 'hold') say({ id: frame.id, status: answer.status, body: answer.body })
    }

    function close() {
      const seen = connections.at(-1)
      if (seen) seen.closed = true
    }

    function open(
      id: string,
      { session, client, cursor = null }: { session: string; client: string; cursor?: string | null | undefined },
    ) {
      connections.push({ sessionId: session, clientId: client, cursor, bearer: null, closed: false })
      const script = scripts.next()
      if (script.hold) return
      if (script.cutAfter === -1) return say({ closed: 200 })
      if (script.status !== undefined) return say({ id, ...refusal(script) })
      say({ id, status: 200, body: {} })
      // A cut happens between frames here, because a port has no bytes.
      framesOf(script, cursor).slice(0, script.cutAfter).map(frameText).forEach(say)
      if (script.ending === 'end' || script.cutAfter !== undefined) say({ closed: 200 })
    }

    return {
      transport: messagePort(port1),
      connections,
      calls,
      play: scripts.add,
      answer: answers.add,
      bytesOf: (script) => framesOf(script, null).length,
      async stop() {
        port1.close()
        port2.close()
      },
    }
  },
}

function refusal({ status, retryAfterSeconds }: ConnectionScript) {
  const retry = retryAfterSeconds === undefined ? {} : { retryAfterMs: retryAfterSeconds * 1000 }
  return { status, body: { error: { code: 'scripted', message: 'As told.', ...retry } } }
}
