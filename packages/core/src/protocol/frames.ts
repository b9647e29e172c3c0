import { z } from 'zod'
import { limits } from '../json/limits.ts'
import { id } from './ids.ts'
import { clientMessage } from './messages.ts'

/** Why a reader must discard its state and fetch a snapshot. */
export const resetReason = z.enum(['epoch', 'trimmed', 'ahead', 'forked', 'invalid'])
export type ResetReason = z.infer<typeof resetReason>

const event = z.looseObject({ type: z.string() })

/** The frames that a server sends over WebSocket, NDJSON and MessagePort. */
export const serverFrame = z.union([
  z.looseObject({ cursor: z.string(), event }),
  z.looseObject({ reset: resetReason }),
  z.looseObject({ heartbeat: z.number() }),
  z.looseObject({ id: z.string(), status: z.int(), body: z.unknown() }),
  /** Channels without a URL: the stream ended; 200, or the status of the reason. */
  z.looseObject({ closed: z.int() }),
])
/** The frame that a client sends over them. `id` connects the response with the message. */
export const clientFrame = z.object({ id, message: clientMessage })

/**
 * On channels without a URL (MessagePort, NDJSON) frames replace the routes of HTTP. `open` starts the stream, and its
 * response is a status. `request` is one call below the mount point. `close` ends the stream, not the channel.
 */
export const openFrame = z.object({
  id,
  open: z.object({ session: id, client: id, cursor: z.string().max(limits.idLength).optional() }),
})
export const requestFrame = z.object({
  id,
  request: z.object({
    method: z.enum(['GET', 'POST']),
    path: z.string().startsWith('/').max(2_048),
    body: z.unknown().optional(),
  }),
})
export const closeFrame = z.object({ close: z.literal(true) })
/** Everything that a client sends over a channel without a URL. */
export const channelFrame = z.union([clientFrame, openFrame, requestFrame, closeFrame])

/** The response to a long poll. */
export const pollPage = z.union([
  z.looseObject({ cursor: z.string(), events: z.array(event) }),
  z.looseObject({ reset: resetReason }),
])

export type ChannelFrame = z.infer<typeof channelFrame>
