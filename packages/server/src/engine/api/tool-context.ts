import type { ApprovalScope } from '@holdpoint/core'
import type { InferInput } from '@holdpoint/core/forms'
import type { FieldSpec, FormSpec, JsonSchemaForm } from '@holdpoint/core/internal'

import type {
  Account,
  ApprovalQuestion,
  ApprovalResponse,
  Approved,
  ApproveOptions,
  ArgsSchema,
  Connected,
  ConnectOptions,
  Handlers,
  InputQuestion,
  InputResponse,
  Outcome,
  QuestionOptions,
  Refused,
  ResultOf,
  Submitted,
} from './questions.ts'

/** Options of `ctx.ask` when the form is written down field by field; `InputField` says what fields there are. */
export interface AskFields<F extends readonly FieldSpec[]> extends QuestionOptions {
  fields: F
  schema?: undefined
  jsonSchema?: undefined
}
/** Options of `ctx.ask` when a zod schema describes the form: one source for its fields, its checks and its type. */
export interface AskSchema<T> extends QuestionOptions {
  /** Rules that no field can express are checked after the answer and lead to a new prompt by themselves. */
  schema: ArgsSchema<T> & object
  fields?: undefined
  jsonSchema?: undefined
}
/** Options of `ctx.ask` when the form comes as JSON Schema, as from an MCP server. */
export interface AskJsonSchema extends QuestionOptions {
  /** The flat subset that MCP elicitation uses. */
  jsonSchema: JsonSchemaForm
  fields?: undefined
  schema?: undefined
}

/** Remembered approvals of this tool and user. */
export interface ToolApprovals {
  /** The widest remembered approval for this key, or null. This consumes an approval of scope `once`. */
  get(key: unknown): Promise<ApprovalScope | null>
  set(key: unknown, scope: ApprovalScope): Promise<void>
  list(): Promise<{ key: unknown; scope: ApprovalScope; approvedAt: Date }[]>
  revoke(key: unknown): Promise<void>
}

/**
 * The context of one tool call, with which the tool asks its user.
 *
 * @example
 * const ctx = session.toolCall({ runId: 'run-1', toolCallId: 'call-1', toolName: 'delete_files' })
 * const { args } = await ctx.approve({ prompt: 'Delete 2 files?', args: { files } })
 */
export interface ToolContext {
  readonly sessionId: string
  readonly userId: string
  readonly runId: string
  readonly toolCallId: string
  readonly toolName: string
  /**
   * Aborted when the run is cancelled or another process takes over the call; never because a page disconnects. The end of
   * a call with `session.toolCall` or `session.gate` is unknown, so theirs is aborted only while a question waits or an
   * effect of `once` runs.
   */
  readonly signal: AbortSignal

  /**
   * Asks, and lets handlers decide what an answer, a time-out or a cancellation means. Resolves with the result of the
   * handlers; rejects with `InteractionRefused` if no handler decides.
   *
   * @example
   * const result = await ctx.requestInteraction({
   *   type: 'approval',
   *   prompt: 'Delete 3 files?',
   *   onResponse: (response) => ({ complete: { ok: response.action === 'approve' } }),
   *   onTimeout: () => ({ complete: { ok: false } }),
   * })
   */
  requestInteraction<OnResponse extends Outcome, OnTimeout extends Outcome = never>(
    request: ApprovalQuestion & Handlers<ApprovalResponse, OnResponse, OnTimeout>,
  ): Promise<ResultOf<OnResponse> | ResultOf<OnTimeout>>
  requestInteraction<const S extends FormSpec, OnResponse extends Outcome, OnTimeout extends Outcome = never>(
    request: InputQuestion<S> & Handlers<InputResponse<S>, OnResponse, OnTimeout>,
  ): Promise<ResultOf<OnResponse> | ResultOf<OnTimeout>>

  /** Resolves only if the person approves, with the approved arguments; otherwise rejects with `InteractionRefused`. */
  approve<Args = undefined>(options: ApproveOptions<Args>): Promise<Approved<Args>>
  /** The same without rejecting: read `outcome`. */
  tryApprove<Args = undefined>(options: ApproveOptions<Args>): Promise<Approved<Args> | Refused>

  /** Resolves with a filled-in form; otherwise rejects with `InteractionRefused`. */
  // Fields last: of overloads that do not fit, the compiler explains the last one.
  ask<T>(options: AskSchema<T>): Promise<T>
  ask(options: AskJsonSchema): Promise<Record<string, unknown>>
  ask<const F extends readonly FieldSpec[]>(options: AskFields<F>): Promise<InferInput<F>>
  tryAsk<T>(options: AskSchema<T>): Promise<Submitted<T> | Refused>
  tryAsk(options: AskJsonSchema): Promise<Submitted<Record<string, unknown>> | Refused>
  tryAsk<const F extends readonly FieldSpec[]>(options: AskFields<F>): Promise<Submitted<InferInput<F>> | Refused>

  /** Resolves once all accounts are connected; otherwise rejects with `InteractionRefused`. */
  connect<const I extends string>(options: ConnectOptions<I>): Promise<Record<I, Account>>
  tryConnect<const I extends string>(options: ConnectOptions<I>): Promise<Connected<I> | Refused>
  /**
   * Runs work that needs accounts. If it fails because one is missing (a command's `AUTH_REQUIRED`, a typed error, such
   * a JSON result, a 401), the person is asked, and the work runs once more with fresh tokens. Rejects with
   * `auth_still_required` if that did not help, and like `connect` if the person does not connect.
   *
   * @example
   * const { stdout } = await ctx.withAuth(
   *   async ({ env }) => execFile('slack', ['post', text], { env: { ...process.env, ...(await env()) } }),
   *   { integrations: ['slack'], reason: 'to post the summary' },
   * )
   */
  withAuth<T, const I extends string>(work: (auth: Auth<I>) => T | Promise<T>, options: WithAuthOptions<I>): Promise<T>

  /**
   * Runs a side effect that a re-run must not repeat, and journals its value. The effect runs again, with the same
   * idempotency key, only if the process died inside it.
   */
  once<T>(key: string, effect: (info: { idempotencyKey: string; signal: AbortSignal }) => T | Promise<T>): Promise<T>

  readonly approvals: ToolApprovals
  readonly interaction: {
    /** Whether a client was present that could answer, as last known. `check()` asks again. */
    readonly available: boolean
    check(): Promise<boolean>
  }
  /**
   * Shows a line with the running tool. Await it in a loop that writes thousands of lines, because it slows the tool
   * down to the speed of its readers.
   *
   * @example for await (const line of lines) await ctx.log(line)
   */
  log(line: string): Promise<void>
  /**
   * Shows the progress of the tool: a status, and a preliminary output. Resolves when the update is written.
   *
   * @example await ctx.update({ status: 'running', output: { uploaded: 3, of: 10 } })
   */
  update(update: ToolUpdate): Promise<void>
  /** The user's setting for this tool, made with `holdpoint.toolSettings.set`; null without one. */
  toolSetting(): Promise<string | null>
  /** Opens a `secret` that a form asked for, by the reference that the form's input holds. */
  secret(reference: string): Promise<string>
  /** The bytes of a `file` that a form asked for, by its handle. */
  upload(handle: string): Promise<{ name: string; type: string; bytes: Uint8Array }>
}

/** The progress of a running tool, besides lines. */
export interface ToolUpdate {
  /** `awaiting_confirmation`, `running`, or a word of your own. */
  status?: string
  /** A preliminary output until the call is complete. */
  output?: unknown
  input?: unknown
}

/** The accounts that a piece of work may ask for, and how it receives their tokens. */
export interface WithAuthOptions<Integration extends string>
  extends Pick<ConnectOptions<Integration>, 'key' | 'reason' | 'scopes' | 'timeoutMs' | 'whenUnavailable' | 'labels'> {
  /** The accounts that this work may need. Other accounts in its output cause no question. */
  integrations: readonly Integration[]
  /** In which variable a command expects a token; by integration, beside the ten that come with it. */
  variables?: Readonly<Record<string, string>>
}

/** The access to tokens for work that needs accounts. */
export interface Auth<Integration extends string> {
  /** How often this work was begun in this execution, from 1. */
  readonly attempt: number
  /** Aborted with the tool call. */
  readonly signal: AbortSignal
  /** Returns a valid token. Without an account it ends the work; the person is asked, and the work begins again. */
  token(integration: Integration): Promise<string>
  /**
   * Returns the tokens of the connected accounts as environment variables, for one command. Missing accounts are left
   * out.
   */
  env(): Promise<Record<string, string>>
}
