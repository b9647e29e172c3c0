/**
 * What the packages of Holdpoint share with each other. Do not import this entry in an app: its names change without
 * notice, and no guide describes them. It contains no schema library, so browsers can load it.
 */
export { browserEnvironment } from './client/api/environment.ts'
export type { ClientEnvironment, ConnectResult } from './client/api/types.ts'
export { type AuthRequired, detectAuthRequired } from './connect/auth-required.ts'
export { type FlowOutcome, listenForFlow, reportFlow } from './connect/flow-channel.ts'
export { integrations } from './connect/integrations.ts'
export { checkFields } from './forms/fields/check-fields.ts'
export { toLocalDateTime } from './forms/fields/datetime.ts'
export { problemsInEnglish } from './forms/fields/problem.ts'
export { redactInput } from './forms/fields/redact-input.ts'
export type { FieldSpec, FormSpec } from './forms/fields/types.ts'
export type { JsonSchemaForm } from './forms/json-schema/types.ts'
export { initialState } from './machine/state/initial.ts'
export type { ConnectionStatus } from './machine/state/types.ts'
export { type Approval, say } from './messages/messages.ts'
export { type SpokenMessages, spokenEnglish } from './messages/spoken.ts'
export { type ErrorCode, errorStatus } from './protocol/error-status.ts'
export type { ErrorBody } from './protocol/errors.ts'
export type {
  AuthNeededEvent,
  AuthResultEvent,
  HoldpointEvent,
  InteractionClosedEvent,
  InteractionRequestEvent,
  InteractionResponseEvent,
  ToolCallCompleteEvent,
} from './protocol/events.ts'
export type { FieldOption } from './protocol/fields.ts'
export type { ChannelFrame, ResetReason } from './protocol/frames.ts'
export type {
  AnswerAction,
  CloseReason,
  CompletedView,
  DiffDecisions,
  DiffHunk,
  Fact,
  FieldErrors,
  Labels,
  Presentation,
  Requester,
  Responder,
  Risk,
  RunStatus,
} from './protocol/interaction.ts'
export type {
  CancelRunMessage,
  ExtendInteractionMessage,
  SubmitAuthResultMessage,
  ToolInteractionResponseMessage,
  UserActionsMessage,
} from './protocol/messages.ts'
export type { InboxPage, InteractionSnapshot, Permission } from './protocol/snapshot.ts'
export { visible, visibleLine } from './text/visible.ts'
export type { HttpOptions } from './transport/http.ts'
export { type MemoryCall, type MemorySink, memory } from './transport/memory.ts'
export { bearerFromProtocols, webSocketProtocol } from './wire/bearer.ts'
export { emptyTag } from './wire/events/cursor.ts'
export { eventTag } from './wire/events/tag.ts'
export { createSseReader } from './wire/streams/sse-reader.ts'
export { sseFrame, sseHeartbeat, sseReset, sseRetry } from './wire/streams/sse-writer.ts'
