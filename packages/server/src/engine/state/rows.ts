import type { ApprovalScope } from '@holdpoint/core'
import type {
  AnswerAction,
  AuthNeededEvent,
  AuthResultEvent,
  InteractionClosedEvent,
  InteractionRequestEvent,
  InteractionResponseEvent,
  Responder,
  RunStatus,
} from '@holdpoint/core/internal'
import type { Json } from '../../base/canonical-json.ts'
import type { PlannedStep } from './planned-step.ts'
import type { SettledOutcome } from './settled-outcome.ts'

/** The stored rows, by kind. Times are milliseconds of the store's clock. */
export interface RowTypes {
  session: SessionRow
  /** A run that waits for a person or that the host keeps as running: these are part of a snapshot. */
  run: RunRow
  /** A run that is quiet or over. */
  idle: RunRow
  call: CallRow
  /** A question that may still change. */
  question: QuestionRow
  /** A question whose outcome is recorded. */
  ended: QuestionRow
  journal: JournalRow
  remembered: RememberedRow
  tool_setting: ToolSettingRow
  action: ActionRow
  /** The turn that streams in a session now; one row. */
  turn: TurnRow
  revoked: RevokedRow
  delivery: DeliveryRow
  node: NodeRow
  presence: PresenceRow
  /** When a user last looked at the questions, by user id, in a partition of presence. */
  looked: LookedRow
  flow: FlowRow
  secret: SecretRow
  upload: UploadRow
  /** An answer link, by the hash of its token. */
  link: LinkRow
  /** A message that a surface shows to one user about one question. */
  sent: SentRow
  /** The state of a framework's run, encrypted, by run id. */
  state: RunStateRow
  /**
   * A user other than the owner whom this session names, so that erasing that user finds it. Kept as long as the
   * session.
   */
  named: NamedRow
}
export type Kind = keyof RowTypes

export interface SessionRow {
  tenant: string
  sessionId: string
  userId: string
  createdAt: number
}

export type QuestionKind = 'approval' | 'input' | 'connect'

export interface RunRow {
  runId: string
  status: RunStatus
  reason?: string
  /** Questions that hold the run, by interaction id. Deferred ones do not. */
  waiting: Record<string, QuestionKind>
  /** True after a later message began another turn. New questions of this run are then superseded. */
  overtaken?: true
  /** The thread of the later message, if several threads share the session. */
  thread?: string
}

/** The result of a finished call, which a repeated `runTool` returns. */
export type CallResult =
  | { status: 'completed'; result?: unknown }
  | { status: 'refused'; outcome: RefusalOutcome; reason?: string; output?: unknown }
  | { status: 'error'; code: string; message: string }

export type RefusalOutcome = 'denied' | 'declined' | 'cancelled' | 'expired' | 'superseded' | 'unavailable'

export interface CallRow {
  runId: string
  toolCallId: string
  toolName: string
  /** A tool of `holdpoint.tool`, which can be run again from its input. */
  registered: boolean
  input?: unknown
  inputDigest?: string
  /** The digest of the input that a gate asked about, until the call begins. */
  gatedInput?: string
  status: 'running' | 'suspended' | 'finished'
  /** The id of the node whose writes count; none while suspended, finished or abandoned. */
  owner?: string
  /** Counts owners: a write under an older fence is refused. */
  fence: number
  /** The latest question of each key. */
  keys: Record<string, { interactionId: string; attempt: number; digest: string }>
  result?: CallResult
  delivery?: string
  /** The questions that a suspended call stopped at. */
  waiting?: string[]
  startedAt: number
  finishedAt?: number
}

export type QuestionStatus =
  | 'open'
  | 'answered'
  | 'timing_out'
  | 'deferred'
  | 'expired'
  | 'cancelled'
  | 'superseded'
  | 'failed'
  | 'answered_late'

export interface Answered {
  answerId: string
  /** Of the whole answer, secrets left out: a repeat is recognized, a changed one is refused. */
  digest: string
  at: number
  by: Responder
  action: AnswerAction
  approvalScope?: ApprovalScope
  /** Secrets are references into the vault. */
  input?: Record<string, unknown>
  args?: unknown
  diffDecisions?: Record<string, 'accept' | 'reject'>
  reason?: string
  /** Given by a remembered approval: the question whose answer covered this one too. */
  coveredBy?: string
}

/** The outcome of a question after its tool has handled it. */
export type QuestionOutcome =
  | { type: 'complete'; value?: unknown }
  | { type: 'reprompt'; next: string }
  | { type: 'pending'; message: string; queued: boolean }
  | { type: 'refused'; outcome: RefusalOutcome; reason?: string }
  | { type: 'failed' }
  /** No code waited: the answer left as a follow-up. */
  | { type: 'follow_up' }

export interface QuestionRow {
  id: string
  tenant: string
  sessionId: string
  userId: string
  call: string
  runId: string
  toolCallId: string
  toolName: string
  key: string
  attempt: number
  /** Prompts since the tool asked: 1, then one more for each reprompt. */
  prompts: number
  /** Of what the tool asked, the same for all its reprompts. */
  digest: string
  kind: QuestionKind
  status: QuestionStatus
  /** The party that acts on an answer: a waiting process, a re-run of the tool, a later claim, or none. */
  waiter: 'inline' | 'suspended' | 'gate' | 'none'
  /** The id of the node that waits inline. */
  owner?: string
  /** One of the shortcuts: its outcome is a decision of ours, not a result of the tool's handler. */
  shortcut: boolean
  registered: boolean
  /** The tool wants to decide what a timeout means. */
  onTimeout: boolean
  /** The event that asked, as the log has it. */
  request: InteractionRequestEvent | AuthNeededEvent
  askedAt: number
  timeoutMs: number
  expiresAt: number
  /** The key under which an approval for always is remembered. */
  rememberedKey?: string
  /** Names the remote requester whose questions are counted. */
  remote?: string
  /** Files that were uploaded for its fields, by handle. */
  uploads?: Record<string, { fieldId: string; userId: string }>
  connected?: string[]
  scopes?: Record<string, string[]>
  answer?: Answered
  response?: InteractionResponseEvent | AuthResultEvent
  closed?: InteractionClosedEvent
  /** Of a deferred question: the result that its tool continued with. */
  pending?: { message: string; queued: boolean }
  outcome?: QuestionOutcome
  endedAt?: number
  /** When to check it again, in states without a deadline. */
  lookAgainAt?: number
  /** The delivery that carries the outcome, until it is acknowledged. */
  delivery?: string
  /** Passed to `onSettled`, so that the asking code can be resumed. */
  wake?: Json
  /** The state that was announced last by a delivery: `asked`, or how it ended. */
  announced?: 'asked' | SettledOutcome
  /** Users who may answer besides those whom the question names: it was escalated to them. */
  audience?: readonly string[]
  /** The trace in which it was asked, and the one in which it was answered. */
  traceparent?: string
  answeredIn?: string
}

export type JournalRow =
  | { type: 'once'; state: 'started'; idempotencyKey: string }
  | { type: 'once'; state: 'done'; idempotencyKey?: string; value?: unknown }
  | { type: 'value'; value?: unknown }

export interface RememberedRow {
  userId: string
  tool: string
  /** Canonical JSON. */
  key: string
  scope: ApprovalScope
  sessionId?: string
  approvedAt: number
  interactionId?: string
}

/** A user's setting for a tool, stored in the user's partition. */
export interface ToolSettingRow {
  tool: string
  choice: string
  at: number
  /** The user who set it, if not the owner. */
  by?: string
}

/** A user action that was taken: a repeat is recognized, a changed one is refused. */
export interface ActionRow {
  digest: string
  at: number
}

export interface TurnRow {
  /** Counts turns: what an older one still writes is refused. */
  fence: number
  runId: string
  /** Of the message that it answers: a repeated request says it once. */
  said?: string
  ended?: true
}

/** Prevents a remembered approval that is still under way from arriving after it was revoked. */
export interface RevokedRow {
  at: number
}

export interface Delivery {
  deliveryId: string
  tenant: string
  sessionId: string
  userId: string
  runId: string
  toolCallId: string
  toolName: string
}
export type DeliveryRow = Delivery & {
  attempts: number
  /** It was attempted before an operator set its attempts back. */
  repeated?: true
  /** It found no place, and was due again later. */
  waited?: true
  at: number
  /** The token of the attempt that has claimed the delivery. */
  claim?: string
  traceparent?: string
} & (
    | { type: 'tool_result'; result: CallResult; interactionId?: string }
    | {
        type: 'follow_up'
        reason: 'late_answer' | 'orphaned'
        interactionId: string
        message: string
        answer: Answered
      }
    | { type: 'remembered_approval'; rememberedId: string; remembered: RememberedRow }
    | { type: 'asked'; interactionId: string; kind: QuestionKind }
    | { type: 'reminder'; interactionId: string; kind: QuestionKind; number: number }
    | { type: 'settled'; interactionId: string; kind: QuestionKind; outcome: SettledOutcome; wake?: Json }
    | { type: 'surface_plan'; interactionId: string; kind: QuestionKind }
    | { type: 'surface_step'; interactionId: string; kind: QuestionKind; step: PlannedStep }
    | {
        type: 'surface_message'
        interactionId: string
        kind: QuestionKind
        surface: string
        to: string
        reminder: number
      }
    | { type: 'surface_settled'; interactionId: string; kind: QuestionKind; outcome: SettledOutcome }
  )

/** A delivery that the surfaces of a process make. */
export type SurfaceDelivery = Extract<DeliveryRow, { type: `surface_${string}` }>

export interface NamedRow {
  userId: string
}
export interface NodeRow {
  until: number
  /** How long its leases are. */
  leaseMs?: number
}
export interface PresenceRow {
  clientId: string
  userId: string
  supported: boolean
  enabled: boolean
  /** The client shows no page at the moment: its tab is in the background. Absent: it does. */
  hidden?: boolean
  until: number
}

export interface LookedRow {
  userId: string
  at: number
}

export interface FlowRow {
  flowId: string
  integration: string
  scopes: string[]
  until: number
}
export interface SecretRow {
  keyId: string
  iv: string
  data: string
}
export interface RunStateRow {
  runId: string
  /** Counts writes, so that of several resumes of one state only the first replaces it. */
  writes: number
  sealed: SecretRow
}
export interface LinkRow {
  tenant: string
  sessionId: string
  interactionId: string
  userId: string
  name?: string
  until: number
}
export interface SentRow {
  interactionId: string
  surface: string
  /** The user whom it was sent to. */
  userId: string
  /** The reference that the surface needs to change the message. */
  ref: Json
  /** The state of the question that it shows; unknown while two processes change it. */
  shown?: 'asked' | SettledOutcome
  /** The number of the last reminder. */
  reminder: number
}
export interface UploadRow {
  userId: string
  interactionId: string
  fieldId: string
  name: string
  type: string
  size: number
  at: number
  /** Base64; large files belong into the `uploads` port. */
  bytes?: string
}
