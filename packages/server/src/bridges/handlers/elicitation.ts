import { HoldpointError, isHoldpointError } from '@holdpoint/core'
import { fieldsFromJsonSchema } from '@holdpoint/core/forms'
import { escapeInvisible, escapeToOneLine } from '@holdpoint/core/internal'
import { flattenSchema } from '@holdpoint/core/internal/forms'
import { digestOf } from '../../base/canonical-json.ts'
import type { Refused } from '../../engine/api/questions.ts'
import type { ToolContext } from '../../engine/api/tool-context.ts'
import type { Holdpoint } from '../../holdpoint.ts'
import { pageOf } from './page-address.ts'

/** The program that asks, and the handling of its requests. */
export interface RequestOptions {
  /**
   * The program that asks, with the name from your own configuration. Do not use a name that the program claims for
   * itself.
   */
  server: { name: string; icon?: string }
  /** Milliseconds until a question expires. @default 300_000 */
  timeoutMs?: number
  /**
   * Called after the user agreed to open a page. Show `url` as a link that the user clicks; do not open it without a
   * click.
   *
   * @default none: pages are declined, because nothing could open them
   */
  onOpenPage?: (page: { url: string; host: string; interactionKey: string }) => unknown
  /** Called with the reason when a request is declined because no form can show it. */
  onUnsupported?: (error: HoldpointError) => unknown
}

/** The user of a question, and the program that asks it. */
export interface ElicitationOptions extends RequestOptions {
  sessionId: string
  userId: string
  tenant?: string
  runId: string
  /** The tool call of your agent that runs on the other program. The program's questions belong to this call. */
  toolCallId: string
}

/** The answer to an elicitation, as MCP and ACP define it. */
export interface ElicitationResult {
  action: 'accept' | 'decline' | 'cancel'
  content?: Record<string, string | number | boolean | string[]>
  _meta?: Record<string, unknown>
  [key: string]: unknown
}

/** Handles a request of another program for input. */
export type ElicitationHandler = (request: unknown, context?: unknown) => Promise<ElicitationResult>

interface Params {
  message: string
  mode: string
  url?: unknown
  requestedSchema?: unknown
}

/** Longer texts do not fit into a card. They are declined, because a shortened text could hide its meaning. */
const MESSAGE_LENGTH = 4_000

/**
 * Creates a handler that shows the requests of one program as questions. All texts of a request are treated as
 * untrusted.
 */
export function elicitationHandler(holdpoint: Holdpoint, options: ElicitationOptions): ElicitationHandler {
  const { sessionId, userId, tenant, runId, toolCallId, server } = options
  const session = holdpoint.session(sessionId, { userId, ...(tenant !== undefined && { tenant }) })
  const asked = new Map<string, number>()

  return async (request, context) => {
    return await declineUnsupported(options, async () => {
      const params = paramsOf(request)
      // After a crash, the same request has the same ids, so its question is found again. A second equal request gets
      // other ids.
      const digest = digestOf([server.name, params])
      const count = (asked.get(digest) ?? 0) + 1
      asked.set(digest, count)
      const signal = signalOf(context) ?? signalOf(request)
      const key = `${toolCallId}.${digest}.${count}`
      const ctx = session.toolCall({ runId, toolCallId: key, toolName: 'elicitation', ...(signal && { signal }) })
      return await ask(ctx, params, options, key)
    })
  }
}

/** Shows one request as a question of this call. Equal requests of a call are distinguished by their order. */
export async function askWithin(
  ctx: ToolContext,
  request: unknown,
  options: RequestOptions,
  key: string,
): Promise<ElicitationResult> {
  return await declineUnsupported(options, () => ask(ctx, paramsOf(request), options, key))
}

async function declineUnsupported(
  { onUnsupported }: RequestOptions,
  asking: () => Promise<ElicitationResult>,
): Promise<ElicitationResult> {
  try {
    return await asking()
  } catch (error) {
    if (!isHoldpointError(error, 'unsupported_schema') && !isHoldpointError(error, 'invalid_fields')) throw error
    await onUnsupported?.(error)
    return { action: 'decline', _meta: { 'holdpoint/reason': error.message } }
  }
}

async function ask(ctx: ToolContext, params: Params, options: RequestOptions, key: string) {
  return params.mode === 'url' ? await askPage(ctx, params, options, key) : await askForm(ctx, params, options)
}

/** Returns the description of the program, for both kinds of question. */
function common({ server, timeoutMs }: RequestOptions) {
  return {
    requester: { ...server, name: escapeToOneLine(server.name), kind: 'program', remote: true },
    whenUnavailable: 'wait' as const,
    ...(timeoutMs !== undefined && { timeoutMs }),
  }
}

async function askForm(ctx: ToolContext, params: Params, options: RequestOptions): Promise<ElicitationResult> {
  const prompt = `${escapeToOneLine(options.server.name)} asks:\n\n${escapeInvisible(params.message)}`
  const schema = params.requestedSchema ?? { type: 'object', properties: {} }
  const fields = fieldsFromJsonSchema(schema, { tolerant: true })
  const facts = [{ label: 'Another program receives your answer. Do not enter a password.', tone: 'warning' }]
  if (fields.length === 0) {
    const { outcome } = await ctx.tryApprove({ prompt, facts, scopes: ['once'], ...common(options) })
    return outcome === 'approved' ? { action: 'accept', content: {} } : refused(outcome)
  }
  const { outcome, ...rest } = await ctx.tryAsk({ prompt, facts, fields, ...common(options) })
  if (outcome !== 'submitted') return refused(outcome)
  const { input } = rest as { input: Record<string, unknown> }
  return { action: 'accept', content: flattenSchema(schema).nest(input) as NonNullable<ElicitationResult['content']> }
}

async function askPage(
  ctx: ToolContext,
  params: Params,
  options: RequestOptions,
  interactionKey: string,
): Promise<ElicitationResult> {
  const { url, host, looksAlike } = pageOf(params.url)
  if (!options.onOpenPage) throw unsupported('url', 'the application cannot open pages')
  const name = escapeToOneLine(options.server.name)
  const { outcome } = await ctx.tryApprove({
    prompt: `${name} asks you to open a page of ${host}:\n\n${escapeInvisible(params.message)}`,
    args: { address: url },
    scopes: ['once'],
    risk: looksAlike ? 'high' : 'medium',
    labels: { approve: `Continue to ${host}`, deny: 'Do not open' },
    facts: [
      { label: 'The page belongs to', value: host, tone: 'warning' },
      ...(looksAlike ? [{ label: 'The address imitates the letters of another one', tone: 'danger' }] : []),
    ],
    ...common(options),
  })
  if (outcome !== 'approved') return refused(outcome)
  await options.onOpenPage({ url, host, interactionKey })
  return { action: 'accept' }
}

/** Only a person declines. A question that expired or was cancelled counts as not decided. */
function refused(outcome: Refused['outcome']): ElicitationResult {
  return { action: outcome === 'denied' || outcome === 'declined' ? 'decline' : 'cancel' }
}

/** Reads the request as its JSON-RPC message, or as its parameters alone, as some hosts pass them. */
function paramsOf(request: unknown): Params {
  const outer = asObject(request)
  const { message, mode = 'form', url, requestedSchema } = asObject(outer.params ?? outer)
  if (typeof message !== 'string') throw unsupported('message', 'it must be text')
  if (message.length > MESSAGE_LENGTH) throw unsupported('message', `it has more than ${MESSAGE_LENGTH} characters`)
  if (mode !== 'form' && mode !== 'url') throw unsupported('mode', 'it is neither "form" nor "url"')
  return { message, mode, ...(mode === 'url' ? { url } : { requestedSchema }) }
}

/** Hosts pass the signal of the request as `signal`, or SDK 2.x as `mcpReq.signal`. */
function signalOf(context: unknown): AbortSignal | undefined {
  const { signal, mcpReq } = (context ?? {}) as { signal?: unknown; mcpReq?: { signal?: unknown } }
  const found = signal ?? mcpReq?.signal
  return found instanceof AbortSignal ? found : undefined
}

function asObject(value: unknown): Record<string, unknown> {
  if (typeof value !== 'object' || value === null) throw unsupported('params', 'it must be an object')
  return value as Record<string, unknown>
}

function unsupported(keyword: string, why: string): HoldpointError {
  return new HoldpointError('unsupported_schema', `The request cannot be shown: \`${keyword}\`: ${why}.`, {
    details: { keyword },
  })
}
