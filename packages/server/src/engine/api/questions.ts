import type { ApprovalScope, InputSchema } from '@holdpoint/core'
import type { InferInput } from '@holdpoint/core/forms'
import type {
  CompletedView,
  DiffDecisions,
  DiffFile,
  Fact,
  FieldErrors,
  FormSpec,
  Labels,
  Presentation,
  Requester,
  Responder,
  Risk,
} from '@holdpoint/core/internal'

import type { Json } from '../../base/canonical-json.ts'

/** Options that all questions share. */
export interface QuestionOptions {
  /**
   * Names the question within its tool call, so that a re-run finds its answer. Counted by kind when omitted
   * (`approval#1`); needed when one call asks several things at once.
   */
  key?: string
  prompt?: string
  /**
   * Milliseconds until the question expires.
   *
   * @default 300_000 (5 minutes)
   */
  timeoutMs?: number
  /**
   * Whether the person can ask for more time before the question expires. Turn it off only for a deadline that is not
   * yours to move: people who read or type slowly depend on it (WCAG 2.2.1).
   *
   * @default true
   */
  extendable?: boolean
  /**
   * The tool continues at the time-out and the question stays answerable: `onTimeout` returns `pending`. The card then
   * announces this, instead of asking for an answer before the deadline.
   *
   * @default false
   */
  answerableLater?: boolean
  /**
   * The behavior without a connected client that could answer. By default `approve`, `ask` and `connect` wait, and
   * `requestInteraction` rejects with `unavailable` after `presenceGraceMs` (15 s).
   */
  whenUnavailable?: 'wait' | 'throw'
  /** Users who may answer besides the session's owner, through their inbox. */
  audience?: readonly string[]
  /**
   * The words on the buttons: `{ approve: 'Delete 3 files', deny: 'Keep files' }`. A form can be sent or declined; with
   * `cancel`, its card has a third button that dismisses the question.
   */
  labels?: Labels
  /**
   * The consequences of the answer, in your words: `[{ label: 'Cannot be undone', tone: 'danger' }]`. Cards show them
   * above the buttons. They are part of the question, so compute them in your code and never from a model's text.
   */
  facts?: readonly Fact[]
  /** Language of the prompt, the labels and the facts (`'de'`), so that screen readers pronounce them. */
  lang?: string
  presentation?: Presentation
  completedView?: CompletedView
  /** The party that asks, if it is not the application itself. The rate of `remote` requesters is limited. */
  requester?: Requester & { remote?: boolean }
  /** Shown with the question: why it is asked again. */
  error?: string
  fieldErrors?: FieldErrors
  initialValues?: Record<string, unknown>
}

/** For `requestInteraction` when a yes or no is needed and you decide what each means; `ctx.approve` is shorter. */
export interface ApprovalQuestion extends QuestionOptions {
  type: 'approval'
  /**
   * The scopes that the person may choose from.
   * @default ['once', 'session']
   */
  approvalScopes?: readonly ApprovalScope[]
  /** The arguments that will run. They must survive JSON, because the person sees their JSON. */
  args?: unknown
  /** The person may change `args` before approving. */
  editable?: boolean
  /**
   * The arguments with which the editor starts, instead of `args`. An approval applies to `args` until the person sends
   * the edit.
   */
  draftArgs?: unknown
  /**
   * The extent of an approval with a wider scope: this request with all its arguments, or also other requests of the
   * tool.
   */
  approvalCovers?: 'request' | 'tool'
  /** Names what a wider scope covers, in words for the person. */
  approvalLabel?: string
  /** Fields for editing `args`. */
  argsSchema?: InputSchema
  diff?: readonly DiffFile[]
  risk?: Risk
}

/**
 * For `requestInteraction` when a form must be filled in and you decide what the answer means; `ctx.ask` is shorter.
 */
export interface InputQuestion<S extends FormSpec = FormSpec> extends QuestionOptions {
  type: 'input'
  inputSchema: S
}

interface Answer {
  reason?: string
  respondedBy: Responder
}
/** The answer to an approval. */
export interface ApprovalResponse extends Answer {
  action: 'approve' | 'deny' | 'cancel'
  approvalScope?: ApprovalScope
  /** The approved arguments: those of the question, or the person's edited ones. */
  args?: unknown
  edited: boolean
  diffDecisions?: DiffDecisions
  input?: undefined
}
/** The answer to a form. */
export type InputResponse<S extends FormSpec = FormSpec> = Answer &
  ({ action: 'submit'; input: InferInput<S> } | { action: 'decline' | 'cancel'; input?: undefined })

/** The second argument of `onResponse`. */
export interface ResponseInfo {
  /** The same whenever this answer is handled again after a crash: give it to whatever must not happen twice. */
  idempotencyKey: string
  interactionId: string
  /** Prompts so far: 1 for the first. */
  attempt: number
  /** Aborted when the question is cancelled or the call is taken over. */
  signal: AbortSignal
}

/** The next prompt of the same question. Omitted properties keep their values. `args` cannot change. */
export type Reprompt = Partial<Omit<ApprovalQuestion, 'type' | 'key' | 'args'>> &
  Partial<Omit<InputQuestion, 'type' | 'key'>> & { type?: 'approval' | 'input' }

/** The decision of a handler. */
export type Outcome =
  /** The result of the tool call. */
  | { complete: unknown }
  /** Asks again, on the same surface, with the same handlers. */
  | { reprompt: Reprompt }
  /** Continues without the answer. The question stays open, and its answer arrives as a follow-up. */
  | { pending: { message: string; queued?: boolean } }

export type Complete = Extract<Outcome, { complete: unknown }>

/** The agent's result of a question that continued without its answer. */
export interface PendingResult {
  pending: true
  queued: boolean
  message: string
}

/** The result of `requestInteraction`, from what its handlers return. */
export type ResultOf<O> = O extends { complete: infer Result }
  ? Result
  : O extends { pending: unknown }
    ? PendingResult
    : never

/** Converts a person's answer to the result that the tool continues with, for `requestInteraction`. */
export interface Handlers<Response, OnResponse extends Outcome, OnTimeout extends Outcome> {
  /** Decides what an answer means. Runs once, except that it may run again when its process lost the call. */
  onResponse: (response: Response, info: ResponseInfo) => OnResponse | Promise<OnResponse>
  /** Decides what a time-out means. Without it the promise rejects with `InteractionRefused`. */
  onTimeout?: (info: ResponseInfo) => OnTimeout | Promise<OnTimeout>
  /** Called when the question or its run was cancelled. The promise rejects either way. */
  onCancel?: () => void | Promise<void>
}

/** The content of the approval card, and the choices of the person. */
export interface ApproveOptions<Args> extends Omit<QuestionOptions, 'key' | 'initialValues' | 'fieldErrors'> {
  /**
   * Identifies what a "session" or "always" approval covers: `['delete', files]`, or a function of the arguments. It
   * must survive JSON unchanged. Two requests with the same value are the same to the person: with a value other than
   * all the arguments, the card says that the approval covers the tool, or shows `scopeLabel`.
   * @default all of `args`, and the diff
   */
  rememberAs?: Json | ((args: Args) => unknown)
  /**
   * The scopes that the person may choose from. Edited arguments and a partly accepted diff count once.
   * @default ['once', 'session'] with `rememberAs`, ['once'] without
   */
  scopes?: readonly ApprovalScope[]
  /** Names what a "session" or "always" covers, in words for the person: `rollouts to staging`. */
  scopeLabel?: string
  args?: Args
  editable?: boolean
  argsSchema?: InputSchema
  diff?: readonly DiffFile[]
  risk?: Risk
  /** Checks edited arguments: a zod schema, or anything with its `safeParseAsync`. The tool's own `input` when omitted. */
  schema?: ArgsSchema<Args>
  /** Decides whether edited arguments may run: returns true, or a sentence for the person. */
  policy?: (args: Args) => boolean | string | Promise<boolean | string>
}

/** The part of a zod schema that is needed here. */
export interface ArgsSchema<T> {
  safeParseAsync(value: unknown): Promise<SchemaResult<T>>
}
/** The result of a schema's `safeParseAsync`, so that validators other than zod can check answers too. */
export type SchemaResult<T> = { success: true; data: T } | { success: false; error: { issues: readonly SchemaIssue[] } }
/** One problem of an answer with its path, so that the person sees it beside its field. */
export interface SchemaIssue {
  path: readonly PropertyKey[]
  message: string
}

/** A person approved, now or earlier. */
export interface Approved<Args> {
  outcome: 'approved'
  /** The approved arguments. */
  args: Args
  /** The person changed the arguments. */
  edited: boolean
  scope: ApprovalScope
  /** True if no question was asked, because a remembered approval covered it. */
  remembered: boolean
  /** The diff that the person saw. Apply this one: a re-run of the tool may have computed another. */
  diff?: readonly DiffFile[]
  diffDecisions?: DiffDecisions
  reason?: string
  respondedBy?: Responder
}

/** Anything but a yes. */
export interface Refused {
  outcome: 'denied' | 'declined' | 'cancelled' | 'expired' | 'superseded' | 'unavailable'
  reason?: string
}

/** The result of `ctx.tryAsk` when the form was submitted, with the validated input. */
export interface Submitted<Input> {
  outcome: 'submitted'
  input: Input
  respondedBy?: Responder
}

/** The result of `ctx.tryConnect` when all accounts are connected. Fetch tokens from `accounts` when you use them. */
export interface Connected<Integration extends string> {
  outcome: 'connected'
  accounts: Record<Integration, Account>
}

/** A connected account. */
export interface Account {
  readonly integration: string
  /** Returns a valid token. Fetch it when you use it; it is never recorded. */
  token(): Promise<string>
}

/** The accounts that a tool needs, and how the person is asked to connect them. */
export interface ConnectOptions<Integration extends string>
  extends Pick<QuestionOptions, 'key' | 'timeoutMs' | 'whenUnavailable' | 'labels' | 'extendable'> {
  integrations: readonly Integration[]
  /** The reason, in words for the person: "to post the summary". */
  reason?: string
  scopes?: Partial<Record<Integration, readonly string[]>>
}
