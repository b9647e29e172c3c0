export { onAnnouncement } from './client/api/on-announcement.ts'
export type { HoldpointClient, RespondResult } from './client/api/types.ts'
export { createHoldpointClient } from './client/create-client.ts'
export { AuthRequiredError } from './connect/auth-required.ts'
export { handleAuthReturn, readAuthReturn } from './connect/auth-return.ts'
export { type ConnectAttempt, connectAccount } from './connect/connect-account.ts'
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
export type { Answer, Interaction, SessionState, ToolCallState } from './machine/state/types.ts'
export { type CardView, cardViewOf } from './machine/state/view.ts'
export type { HoldpointErrorCode } from './protocol/error-codes.ts'
export type { HoldpointEvent } from './protocol/events.ts'
export type { InputField, InputSchema } from './protocol/fields.ts'
export type { ApprovalScope } from './protocol/interaction.ts'
export type { UserAction } from './protocol/messages.ts'
export { sse } from './sse/sse.ts'
export { longPoll } from './transport/long-poll.ts'
export { messagePort } from './transport/message-port.ts'
export type { Transport } from './transport/types.ts'
export { websocket } from './transport/websocket.ts'
