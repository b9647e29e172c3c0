export { onAnnouncement } from './client/api/on-announcement.ts'
export type { HoldpointClient, HoldpointClientOptions, RespondResult } from './client/api/types.ts'
export { createHoldpointClient } from './client/create-client.ts'
export { AuthRequiredError } from './connect/auth-required.ts'
export { type AuthReturn, handleAuthReturn, readAuthReturn } from './connect/auth-return.ts'
export { type ConnectAttempt, type ConnectState, connectAccount } from './connect/connect-account.ts'
export { HoldpointError, isHoldpointError } from './error.ts'
export { isOpen } from './machine/state/interaction.ts'
export {
  selectChain,
  selectForToolCall,
  selectInteraction,
  selectPending,
  selectPendingAuth,
  selectRun,
  selectToolCall,
} from './machine/state/selectors.ts'
export type {
  Announcement,
  Answer,
  ConnectionState,
  Interaction,
  InteractionStatus,
  RunState,
  SessionState,
  ToolCallState,
  Topic,
} from './machine/state/types.ts'
export { type CardView, type ViewState, viewOf } from './machine/state/view.ts'
export type { HoldpointErrorCode } from './protocol/error-codes.ts'
export type { HoldpointEvent } from './protocol/events.ts'
export type { InputField, InputSchema } from './protocol/fields.ts'
export type { ApprovalScope, DiffFile } from './protocol/interaction.ts'
export type { UserAction } from './protocol/messages.ts'
export { sse } from './sse/sse.ts'
export { longPoll } from './transport/long-poll.ts'
export { messagePort } from './transport/message-port.ts'
export type { Transport } from './transport/types.ts'
export { websocket } from './transport/websocket.ts'
