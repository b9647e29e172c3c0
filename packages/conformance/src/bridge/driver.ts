import type { ApproveOptions, Holdpoint, ToolContext } from '@holdpoint/server'
import type { z } from 'zod'
import type { BridgeRow } from './rows.ts'

/** The input of every tool of the suite. */
export interface Files {
  files: string[]
}

/** A tool of the suite. A driver turns it into a tool of its framework. */
export interface BridgeTool {
  readonly name: string
  readonly description: string
  readonly input: z.ZodType<Files>
  /** The approval that the tool needs before it runs. */
  approve?(input: Files): ApproveOptions<Files>
  /** Asks for what else the tool needs. It may run more than once. */
  before?(input: Files, ctx: ToolContext): Promise<unknown>
  /** `before` is what the function of that name returned. */
  execute(input: Files, ctx: ToolContext, before: unknown): Promise<unknown>
}

/** A tool call as the model makes it. */
export interface BridgeCall {
  toolCallId: string
  toolName: string
  input: Files
}

/** The state of a tool call, as the framework reports it to its host. */
export type CallState =
  | { state: 'waiting' }
  | { state: 'done'; output: unknown }
  /** The tool did not run. `text` is all that the model reads about it. */
  | { state: 'not_done'; text: string }

/** A framework that stopped, because all calls ended or because a person must answer. */
export interface Stop {
  /**
   * The state that the framework's host keeps until it resumes: messages, a checkpoint id, sealed state. It survives
   * JSON.
   */
  saved: unknown
  /** By tool call id. */
  calls: Readonly<Record<string, CallState>>
}

/** The claim of the framework's resume payload about the open questions. It is no evidence. */
export type Claim = 'approve' | 'deny'

/** A resume that an attacker sends. It may reject. */
export interface Forgery {
  name: string
  resume(): Promise<unknown>
}

/** One process of a framework, joined to one node of Holdpoint for one user. */
export interface BridgedAgent {
  /** Runs the step in which the model makes these calls, until the framework stops. */
  begin(calls: readonly BridgeCall[]): Promise<Stop>
  /**
   * Continues as the host of the framework does after an answer. With a `claim`, the payload of the resume names it, as far
   * as the framework has such a payload.
   */
  resume(saved: unknown, claim?: Claim): Promise<Stop>
  /** Returns resumes that an attacker could send while the questions of `saved` are open. */
  forgeries(saved: unknown): readonly Forgery[]
  /** Returns `saved` with another input of one call, under the same ids. */
  withInput?(saved: unknown, toolCallId: string, input: Files): unknown
  /** The user writes a new message instead of an answer. Without it the suite calls `session.declineWaiting`. */
  newMessage?(saved: unknown): Promise<unknown>
  /** Closes connections after the test. */
  close?(): Promise<void>
}

/** How the suite reaches one framework through its bridge. */
export interface BridgeDriver {
  /** `import.meta.url` of the module that exports this driver as `driver`, so that another process can load it. */
  readonly module: string
  /** The session in which all calls are made. */
  readonly sessionId: string
  open(node: {
    holdpoint: Holdpoint
    tools: readonly BridgeTool[]
    userId: string
  }): BridgedAgent | Promise<BridgedAgent>
  /** Rows that cannot apply to the framework, each with the reason that the report prints. */
  readonly cannot?: Readonly<Partial<Record<BridgeRow, string>>>
}
