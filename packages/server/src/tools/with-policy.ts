import type { z } from 'zod'
import type { ToolInput } from '../engine/api/tool.ts'
import type { ToolContext } from '../engine/api/tool-context.ts'
import { type Confirmed, confirmBefore } from './confirm-before.ts'
import type { PolicyContext, ToolPolicy } from './policy.ts'
import { runConfirmed } from './run-confirmed.ts'

/** A tool definition for `withPolicy`: the same as for `holdpoint.tool`, but with the confirmation in its context. */
export interface PolicyToolDefinition<Input, Result, Raw = Input> {
  name: string
  input: ToolInput<Input, Raw>
  execute: (input: Input, ctx: PolicyContext) => Result | Promise<Result>
}

/** A tool definition for `withPolicy`, for a tool of the AI SDK. */
export interface PolicyAiToolDefinition<Input, Result> {
  description?: string
  title?: string
  inputSchema: z.ZodType<Input>
  execute: (input: Input, ctx: PolicyContext) => Result | Promise<Result>
}

/** The tool definition that `holdpoint.tool` accepts. */
export interface GuardedToolDefinition<Input, Result, Raw = Input> {
  name: string
  input: ToolInput<Input, Raw>
  choices?: readonly string[]
  before: (input: Input, ctx: ToolContext) => Promise<Confirmed<Input>>
  /** Asks by itself if it is called without the value of `before`, with any tool context. */
  execute: (input: Input, ctx: ToolContext & { readonly before?: Confirmed<Input> }) => Promise<Result>
}

/** The tool definition that `holdpointTool` of `@holdpoint/server/ai-sdk` accepts. */
export interface GuardedAiToolDefinition<Input, Output> {
  description?: string
  title?: string
  inputSchema: z.ZodType<Input>
  choices?: readonly string[]
  before: (input: Input, ctx: ToolContext) => Promise<Confirmed<Input>>
  execute: (input: Input, ctx: ToolContext & { readonly before: Confirmed<Input> }) => Promise<Output>
}

/**
 * Adds a policy to a tool: when a user is asked, and the effect of the answer. The policy is part of the tool, so it
 * applies in `runTool`, in recovery after a crash, in a re-run and in the AI SDK.
 *
 * The mode is computed from the real input: secrets first, then `modeFrom`, then the user's setting
 * (`holdpoint.toolSettings.set`), then `mode`. If a user edits the input, the mode is computed again. A call that needed an
 * approval still needs it if the settings change.
 *
 * @example
 * const callSystem = holdpoint.tool(
 *   withPolicy(
 *     {
 *       name: 'call_system',
 *       input: z.object({ method: z.enum(['GET', 'POST']), url: z.url() }),
 *       execute: ({ method, url }) => fetch(url, { method }).then((response) => response.text()),
 *     },
 *     {
 *       choices: {
 *         ask: 'confirm_before_execution',
 *         reads: ({ method }) => (method === 'GET' ? 'auto' : 'confirm_before_execution'),
 *         all: 'auto',
 *       },
 *       confirm: ({ method, url }) => ({ prompt: `${method} ${url}?`, editable: true }),
 *       pending: ({ method, url }) => ({ request: { method, url } }),
 *     },
 *   ),
 * )
 * await holdpoint.toolSettings.set({ userId: 'ada', toolName: 'call_system', choice: 'reads' })
 *
 * @example
 * // A tool of the AI SDK: the same, around the options of holdpointTool.
 * const sendMail = holdpointTool(
 *   withPolicy({ inputSchema, execute: send }, { mode: 'confirm_before_execution' }),
 * )
 */
export function withPolicy<Input, Result, Confirmed = never, Part = never, Connected = never, Raw = Input>(
  tool: PolicyToolDefinition<Input, Result, Raw>,
  policy: ToolPolicy<Input, Result, Confirmed, Part, Connected>,
): GuardedToolDefinition<Input, Result | Confirmed | Part | Connected, Raw>
export function withPolicy<Input, Result, Confirmed = never, Part = never, Connected = never>(
  tool: PolicyAiToolDefinition<Input, Result>,
  policy: ToolPolicy<Input, Result, Confirmed, Part, Connected>,
): GuardedAiToolDefinition<Input, Result | Confirmed | Part | Connected>
export function withPolicy<Input, Result>(
  tool: PolicyToolDefinition<Input, Result> | PolicyAiToolDefinition<Input, Result>,
  policy: ToolPolicy<Input, Result>,
): GuardedToolDefinition<Input, unknown> | GuardedAiToolDefinition<Input, unknown> {
  const choices = policy.choices && { choices: Object.keys(policy.choices) }
  if ('inputSchema' in tool) {
    const guarded: GuardedAiToolDefinition<Input, unknown> = {
      ...tool,
      ...choices,
      // The bridge calls `before` when the SDK checks whether the call may run, and again when the call runs.
      before: (input, ctx) => confirmBefore(tool.inputSchema, policy, input, ctx),
      execute: (_input, ctx) => runConfirmed(tool.execute, policy, ctx.before, ctx),
    }
    return guarded
  }
  const guarded: GuardedToolDefinition<Input, unknown> = {
    ...{ name: tool.name, input: tool.input },
    ...choices,
    before: (input, ctx) => confirmBefore(tool.input, policy, input, ctx),
    async execute(input, ctx) {
      const confirmed = ctx.before ?? (await confirmBefore(tool.input, policy, input, ctx))
      return await runConfirmed(tool.execute, policy, confirmed, ctx)
    },
  }
  return guarded
}
