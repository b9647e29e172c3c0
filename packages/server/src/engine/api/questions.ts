import type { ApprovalScope, DiffFile, InputSchema } from '@holdpoint/core'
import type { InferInput } from '@holdpoint/core/forms'
import type {
  CompletedView,
  DiffDecisions,
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

/** What every question may carry. */
export interface QuestionOptions {
  /**
   * Names the question within its tool call, so that a re-run finds its answer. Counted by kind when omitted
   * (`approval#1`); needed when one call asks several things at once.
   */
  key?: string
  prompt?: string
  /** Until the question expires; 5 minutes unless given. */
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
   * What to do when nobody is connected who could answer: `approve`, `ask` and `connect` wait unless told otherwise,
   * `requestInteraction` rejects with `unavailable` after `presenceGraceMs` (15 s).
   */
  whenUnavailable?: 'wait' | 'throw'
  /** Users who may answer besides the session's owner, through their inbox. */
  audience?: readonly string[]
  labels?: Labels
  /**
   * What follows from the answer, in your words: `[{ label: 'Cannot be undone', tone: 'danger' }]`. Cards show it above the
   * buttons. It is part of the question, so compute it in your code and never from a model's text.
   */
  facts?: readonly Fact[]
  /** Language of the prompt, the labels and the facts (`'de'`), so that screen readers pronounce them. */
  lang?: string
  presentation?: Presentation
  completedView?: CompletedView
  /** Who wants the answer, when it is not the application itself. `remote` requesters are held to a rate. */
  requester?: Requester & { remote?: boolean }
  /** Shown with the question: why it is asked again. */
  error?: string
  fieldErrors?: FieldErrors
  initialValues?: Record<string, unknown>
}

/** For `requestInteraction` when a yes or no is needed and you decide what each means; `ctx.approve` is shorter. */
export interface ApprovalQuestion extends QuestionOptions {
  type: 'approval'
  /** What the person may choose from; `['once', 'session']` unless given. */
  approvalScopes?: readonly ApprovalScope[]
  /** What will be done, as it will be done. It must survive JSON: the person sees its JSON. */
  args?: unknown
  /** The person may change `args` before approving. */
  editable?: boolean
  /** What the editor of `args` starts with, instead of `args`. A yes counts for `args` until the person sends the edit. */
  draftArgs?: unknown
  /** What an approval with a wider scope covers: this request with all its arguments, or also others of the tool. */
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
  /** What may be done: the arguments of the question, or the person's edited ones. */
  args?: unknown
  edited: boolean
  diffDecisions?: DiffDecisions
  input?: undefined
}
/** The answer to a form. */
export type InputResponse<S extends FormSpec = FormSpec> = Answer &
  ({ action: 'submit'; input: InferInput<S> } | { action: 'decline' | 'cancel'; input?: undefined })

/** What `onResponse` gets besides the answer. */
export interface ResponseInfo {
  /** The same whenever this answer is handled again after a crash: give it to whatever must not happen twice. */
  idempotencyKey: string
  interactionId: string
  /** Prompts so far: 1 for the first. */
  attempt: number
  /** Aborted when the question is cancelled or the call is taken over. */
  signal: AbortSignal
}

/** The next prompt of the same question: what is not named stays as it was. `args` always stay. */
export type Reprompt = Partial<Omit<ApprovalQuestion, 'type' | 'key' | 'args'>> &
  Partial<Omit<InputQuestion, 'type' | 'key'>> & { type?: 'approval' | 'input' }

/** What a handler decides. */
export type Outcome =
  /** The result of the tool call. */
  | { complete: unknown }
  /** Ask again, on the same surface, with the same handlers. */
  | { reprompt: Reprompt }
  /** Continue without the answer. The question stays; a late answer arrives as a follow-up. */
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
  /** Decides what silence means; without it the promise rejects with `InteractionRefused`. */
  onTimeout?: (info: ResponseInfo) => OnTimeout | Promise<OnTimeout>
  /** Told of a cancelled question or run. The promise rejects either way. */
  onCancel?: () => void | Promise<void>
}

/** What the approval card shows, and what the person may choose or change on it. */
export interface ApproveOptions<Args> extends Omit<QuestionOptions, 'key' | 'initialValues' | 'fieldErrors'> {
  /**
   * What a "session" or "always" is remembered for: `['delete', files]`, or a function of the arguments. It must survive
   * JSON unchanged. Two requests with the same key are one to the person: with a key other than all the arguments, the
   * card says that the approval covers the tool, or `scopeLabel`.
   * @default all of `args`, and the diff
   */
  key?: Json | ((args: Args) => unknown)
  /**
   * What the person may choose from. Edited arguments and a partly accepted diff count once.
   * @default ['once', 'session'] with a key, ['once'] without
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
  /** Says whether edited arguments may run at all: true, or what to tell the person. */
  policy?: (args: Args) => boolean | string | Promise<boolean | string>
}

/** The part of a zod schema that is needed here. */
export interface ArgsSchema<T> {
  safeParseAsync(value: unknown): Promise<SchemaResult<T>>
}
/** What `safeParseAsync` of a schema gives, so that validators other than zod can check answers too. */
export type SchemaResult<T> = { success: true; data: T } | { success: false; error: { issues: readonly SchemaIssue[] } }
/** One thing that is wrong with an answer, and where, so that the person sees it beside the right field. */
export interface SchemaIssue {
  path: readonly PropertyKey[]
  message: string
}

/** A person approved, now or earlier. */
export interface Approved<Args> {
  outcome: 'approved'
  /** What may be done. */
  args: Args
  /** The person changed the arguments. */
  edited: boolean
  scope: ApprovalScope
  /** No question was asked: it had been approved before. */
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

/** What `ctx.tryAsk` gives when the form was sent, with the checked input. */
export interface Submitted<Input> {
  outcome: 'submitted'
  input: Input
  respondedBy?: Responder
}

/** What `ctx.tryConnect` gives once every account is there. Fetch tokens from `accounts` when you use them. */
export interface Connected<Integration extends string> {
  outcome: 'connected'
  accounts: Record<Integration, Account>
}

/** A connected account. */
export interface Account {
  readonly integration: string
  /** A token that works now. Fetch it when it is used; it is never recorded. */
  token(): Promise<string>
}

/** Names the accounts that a tool needs, and how the person is asked to connect them. */
export interface ConnectOptions<Integration extends string>
  extends Pick<QuestionOptions, 'key' | 'timeoutMs' | 'whenUnavailable' | 'labels' | 'extendable'> {
  integrations: readonly Integration[]
  /** Why, in words for the person: "to post the summary". */
  reason?: string
  scopes?: Partial<Record<Integration, readonly string[]>>
}
