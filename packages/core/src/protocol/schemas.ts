import { interactionRequest, knownEvent } from './events.ts'
import { channelFrame } from './frames.ts'
import { id } from './ids.ts'
import { clientMessage, userAction } from './messages.ts'
import { inboxPage, sessionSnapshot } from './snapshot.ts'

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
