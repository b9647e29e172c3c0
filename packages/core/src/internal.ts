/**
 * Exports that the packages of Holdpoint share with each other. Do not import this entry in an app: its names change
 * without notice, and no guide describes them. It contains no schema library, so browsers can load it.
 */

export type { IntegrationState } from './cli/types.ts'
export { browserEnvironment } from './client/api/environment.ts'
export type { ClientEnvironment, ConnectResult, HoldpointClientOptions } from './client/api/types.ts'
export { type AuthRequired, detectAuthRequired } from './connect/auth-required.ts'
export type { AuthReturn } from './connect/auth-return.ts'
export type { ConnectState } from './connect/connect-account.ts'
export { type FlowOutcome, listenForFlow, reportFlow } from './connect/flow-channel.ts'
export { flowMode, openFlowWindow } from './connect/flow-window.ts'
export { integrations } from './connect/integrations.ts'
export type { DateRange, FieldProblem, FieldSpec, FormSpec, UploadedFile } from './forms/fields/types.ts'
export type { JsonSchemaForm } from './forms/json-schema/types.ts'
export type { Limits } from './json/limits.ts'
export { needsShownDigest } from './json/needs-shown-digest.ts'
export { initialState } from './machine/state/initial.ts'
export { answerActions } from './machine/state/interaction.ts'
export type { ConnectionState, ConnectionStatus, RunState, Topic } from './machine/state/types.ts'
export { type Approval, say } from './messages/messages.ts'
export { pagesInEnglish } from './messages/pages/en.ts'
export type { PageMessages } from './messages/pages/messages.ts'
export type { SpokenMessages } from './messages/spoken.ts'
export { pages } from './pages.ts'
export { type ErrorCode, errorStatus } from './protocol/error-status.ts'
export type { ErrorBody } from './protocol/errors.ts'
export type {
  AuthNeededEvent,
  AuthResultEvent,
  HoldpointEvent,
  InteractionClosedEvent,
  InteractionRequestEvent,
  InteractionResponseEvent,
  KnownEvent,
  ToolCallCompleteEvent,
} from './protocol/events.ts'
export type { FieldOption } from './protocol/fields.ts'
export type { ChannelFrame, ResetReason } from './protocol/frames.ts'
export type {
  AnswerAction,
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
} from './protocol/interaction.ts'
export type {
  CancelRunMessage,
  ExtendInteractionMessage,
  SubmitAuthResultMessage,
  ToolInteractionResponseMessage,
  UserActionsMessage,
} from './protocol/messages.ts'
export type { InboxPage, InteractionSnapshot, Permission, SessionSnapshot } from './protocol/snapshot.ts'
export { sizeText } from './readable/size-text.ts'
export type { ReadableRow, ReadableValue } from './readable/types.ts'
export { escapeInvisible, escapeToOneLine } from './text/escape-invisible.ts'
export type { AccountRecord } from './tokens/types.ts'
export type { HttpOptions } from './transport/http.ts'
export type { MemoryPeer } from './transport/memory.ts'
export { type MemoryCall, type MemorySink, memoryTransport } from './transport/memory.ts'
export type {
  SendResult,
  TransportConnection,
  TransportContext,
  TransportFailure,
  TransportListener,
} from './transport/types.ts'
export { bearerFromProtocols, webSocketProtocol } from './wire/bearer.ts'
export { emptyTag } from './wire/events/cursor.ts'
export type { Frame, PlacedEvent } from './wire/events/frame.ts'
export { eventTag } from './wire/events/tag.ts'
export { createSseReader } from './wire/streams/sse-reader.ts'
export { sseFrame, sseHeartbeat, sseReset, sseRetry } from './wire/streams/sse-writer.ts'
