import { HoldpointError } from '@holdpoint/core'
import { digestOf } from '../../base/canonical-json.ts'
import type { ToolContext } from '../../engine/api/tool-context.ts'
import { askWithin, type ElicitationResult, type RequestOptions } from '../handlers/elicitation.ts'

/** A tool call on an MCP server. */
export interface McpCall {
  name: string
  arguments?: Record<string, unknown>
  _meta?: Record<string, unknown>
}

/** A client of `@modelcontextprotocol/client` 2.x. */
export interface McpCaller<Result extends object> {
  callTool(
    params: McpCall & { inputResponses?: Record<string, ElicitationResult>; requestState?: string },
    options?: { allowInputRequired?: boolean; signal?: AbortSignal; timeout?: number },
  ): Promise<Result>
}

/** Options of `durableCall`. */
export interface DurableCallOptions extends RequestOptions {
  /**
   * The maximum duration of one round on the server, in milliseconds. The wait for the user does not count. @default
   * 60_000
   */
  roundTimeoutMs?: number
  /** The maximum number of rounds. A call whose server needs input more often fails. @default 10 */
  rounds?: number
  /**
   * The name of the call, if one tool call makes several calls of the same tool on this server.
   *
   * @default the name of the tool on the server
   */
  key?: string
}

type OpenedPage = Parameters<NonNullable<RequestOptions['onOpenPage']>>[0]

/** A result that asks for input, as of version 2026-07-28 of the protocol. */
interface InputRequired {
  resultType: 'input_required'
  inputRequests?: Record<string, unknown>
  requestState?: string
}

/**
 * Calls a tool of an MCP server that may ask the user, and continues after a crash. Each round is journaled with the
 * call: the questions of the server, its state, and its result. After a crash, call it again with the same `ctx` ids; a
 * tool of `holdpoint.tool` runs again by itself. A round that was pending when the process died is sent again, with the
 * same `_meta['holdpoint/idempotencyKey']`.
 *
 * @example
 * const review = holdpoint.tool({
 *   name: 'review',
 *   input: z.object({ branch: z.string() }),
 *   execute: (args, ctx) =>
 *     durableCall(ctx, client, { name: 'review', arguments: args }, { server: { name: 'GitHub' } }),
 * })
 */
export async function durableCall<Result extends object>(
  ctx: ToolContext,
  client: McpCaller<Result>,
  call: McpCall,
  options: DurableCallOptions,
): Promise<Result> {
  const { server, rounds = 10, roundTimeoutMs = 60_000, onOpenPage, key: callKey = call.name } = options
  const digest = digestOf(call)
  let answers: { inputResponses?: Record<string, ElicitationResult>; requestState?: string } = {}
  for (let round = 1; round <= rounds; round++) {
    const entry = `mcp ${JSON.stringify([server.name, callKey, round])}`
    const { reply, ...journaled } = await ctx.once(entry, async ({ idempotencyKey, signal }) => {
      const _meta = { ...call._meta, 'holdpoint/idempotencyKey': idempotencyKey }
      const sending = { allowInputRequired: true, timeout: roundTimeoutMs, signal }
      return { digest, reply: await client.callTool({ ...call, ...answers, _meta }, sending) }
    })
    if (journaled.digest !== digest) throw otherCall(call)
    if (!isInputRequired(reply)) return reply
    const inputResponses: Record<string, ElicitationResult> = {}
    // The requests are handled one after the other, because a call that runs again finds its questions by their order.
    for (const [key, request] of Object.entries(reply.inputRequests ?? {})) {
      const within = {
        ...options,
        ...(onOpenPage && {
          onOpenPage: (page: OpenedPage) => ctx.once(`${entry} ${key}`, async () => void (await onOpenPage(page))),
        }),
      }
      inputResponses[key] = await askWithin(ctx, elicitationOf(request), within, `${ctx.toolCallId}.${round}.${key}`)
    }
    const { requestState } = reply
    answers = { inputResponses, ...(requestState !== undefined && { requestState }) }
  }
  throw failed(call, `${server.name} asked for input ${rounds} times`)

  function elicitationOf(request: unknown): unknown {
    const { method } = (request ?? {}) as { method?: unknown }
    if (method === 'elicitation/create') return request
    throw failed(call, `${server.name} asked for ${JSON.stringify(method)}, which no user can answer`)
  }
}

function isInputRequired(reply: object): reply is InputRequired {
  return 'resultType' in reply && reply.resultType === 'input_required'
}

function failed({ name }: McpCall, why: string): HoldpointError {
  return new HoldpointError('tool_failed', `The call of ${name} ended without a result: ${why}.`)
}

function otherCall({ name }: McpCall): HoldpointError {
  return new HoldpointError(
    'call_mismatch',
    `${name} was not called: the journal of this tool call has a call with other arguments under the same name. Pass a "key" if one tool call makes several calls of ${name}.`,
  )
}
