import { interactionRequest, knownEvent } from './events.ts'
import { channelFrame } from './frames.ts'
import { id } from './ids.ts'
import { clientMessage, userAction } from './messages.ts'
import { inboxPage, sessionSnapshot } from './snapshot.ts'

export { limits } from '../json/limits.ts'
export { eventTypes } from './events.ts'
export type { ClientMessage } from './messages.ts'
export { parseBody, parseChannelFrame, parseClientMessage } from './parse.ts'

/** The zod schemas of everything on the wire, for servers in other languages, bridges and tests. */
export const schemas = {
  channelFrame,
  clientMessage,
  id,
  inboxPage,
  interactionRequest,
  knownEvent,
  sessionSnapshot,
  userAction,
} as const
