import { isObject } from '../json/guards.ts'
import { parseJson } from '../json/json.ts'
import { decodeFrame } from '../wire/events/frame.ts'
import { statusFailure } from './http.ts'
import type { SendResult, TransportFailure, TransportListener } from './types.ts'

/** Requests and answers over a channel of frames, beside the events that come the same way. */
export interface FrameLink {
  /** Posts a frame under `id`; resolves with the response to it. */
  call(id: string, frame: Record<string, unknown>, signal?: AbortSignal): Promise<SendResult>
  /** Handles one received frame. */
  receive(data: unknown, listener: Omit<TransportListener, 'open'>): void
  /** Rejects all pending requests, because no more responses can arrive. */
  fail(error: Error): void
}

export function createFrameLink(post: (text: string) => void): FrameLink {
  const waiting = new Map<string, { resolve: (result: SendResult) => void; reject: (error: unknown) => void }>()

  return {
    call(id, frame, signal) {
      return new Promise<SendResult>((resolve, reject) => {
        if (signal?.aborted) return reject(signal.reason)
        const abandon = () => settle(() => reject(signal?.reason))
        const settle = (finish: () => void) => {
          waiting.delete(id)
          signal?.removeEventListener('abort', abandon)
          finish()
        }
        waiting.set(id, {
          resolve: (result) => settle(() => resolve(result)),
          reject: (error) => settle(() => reject(error)),
        })
        signal?.addEventListener('abort', abandon)
        try {
          post(JSON.stringify({ id, ...frame }))
        } catch (error) {
          settle(() => reject(error))
        }
      })
    },

    receive(data, listener) {
      const parsed = typeof data === 'string' ? parseJson(data) : undefined
      if (!parsed) return listener.malformed({ code: 'malformed_frame', message: 'A frame is JSON text.' })
      const frame = parsed.ok ? decodeFrame(parsed.value) : parsed
      if (!frame.ok) return listener.malformed(frame.problem)
      switch (frame.value.kind) {
        case 'event':
          return listener.events([{ cursor: frame.value.cursor, event: frame.value.event }])
        case 'reset':
          return listener.reset(frame.value.reason)
        case 'closed':
          return listener.down(closedFailure(frame.value.status))
        case 'reply':
          waiting.get(frame.value.id)?.resolve(asResult(frame.value))
      }
      listener.alive()
    },

    fail(error) {
      for (const { reject } of [...waiting.values()]) reject(error)
    },
  }
}

const closedFailure = (status: number): TransportFailure =>
  status === 200 ? { code: 'ended', message: 'The server ended the stream.' } : statusFailure({ status })

function asResult({ status, body }: { status: number; body: unknown }): SendResult {
  const error = isObject(body) && isObject(body.error) ? body.error : {}
  const { retryAfterMs } = error
  return { status, body, ...(typeof retryAfterMs === 'number' ? { retryAfterMs } : {}) }
}
