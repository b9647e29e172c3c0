export { type Limits, limits } from '../json/limits.ts'
export { type ErrorBody, type ErrorCode, errorStatus } from './errors.ts'
export {
  type AuthNeededEvent,
  type AuthResultEvent,
  eventTypes,
  type HoldpointEvent,
  type InteractionClosedEvent,
  type InteractionRequestEvent,
  type InteractionResponseEvent,
  interactionRequest,
  type KnownEvent,
  knownEvent,
  type ToolCallCompleteEvent,
} from './events.ts'
export type { FieldOption, InputField, InputSchema } from './fields.ts'
export { type ChannelFrame, channelFrame, type ResetReason } from './frames.ts'
export { id } from './ids.ts'
export type {
  AnswerAction,
  ApprovalScope,
  CloseReason,
  CompletedView,
  DiffDecisions,
  DiffFile,
  DiffHunk,
  Fact,
  FieldErrors,
  Labels,
  Presentation,
  Requester,
  Responder,
  Risk,
  RunStatus,
} from './interaction.ts'
export {
  type CancelRunMessage,
  type ClientMessage,
  clientMessage,
  type ExtendInteractionMessage,
  type SubmitAuthResultMessage,
  type ToolInteractionResponseMessage,
  type UserAction,
  type UserActionsMessage,
  userAction,
} from './messages.ts'
export { parseBody, parseChannelFrame, parseClientMessage } from './parse.ts'
export {
  type InboxPage,
  type InteractionSnapshot,
  inboxPage,
  type Permission,
  type SessionSnapshot,
  sessionSnapshot,
} from './snapshot.ts'
