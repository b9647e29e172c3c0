export { browserEnvironment } from './client/api/environment.ts'
export { onAnnouncement } from './client/api/on-announcement.ts'
export type * from './client/api/types.ts'
export { createHoldpointClient } from './client/create-client.ts'
export * from './connect/index.ts'
export { HoldpointError, isHoldpointError } from './error.ts'
export * from './machine/index.ts'
export type { HoldpointErrorCode } from './protocol/error-codes.ts'
export type {
  AnswerAction,
  ApprovalScope,
  AuthNeededEvent,
  ClientMessage,
  DiffFile,
  DiffHunk,
  HoldpointEvent,
  InputField,
  InputSchema,
  InteractionClosedEvent,
  InteractionRequestEvent,
  InteractionResponseEvent,
  KnownEvent,
  Permission,
  RunStatus,
  SessionSnapshot,
  UserAction,
} from './protocol/index.ts'
export { sse } from './sse/sse.ts'
export { type RecordedPeer, type RecordedPeerOptions, recordedPeer } from './testing/recorded-peer.ts'
export type { HttpOptions } from './transport/http.ts'
export { type LongPollOptions, longPoll } from './transport/long-poll.ts'
export { type MemoryCall, type MemoryPeer, type MemorySink, memory } from './transport/memory.ts'
export { messagePort, type PortLike } from './transport/message-port.ts'
export type * from './transport/types.ts'
export { type WebSocketOptions, websocket } from './transport/websocket.ts'
