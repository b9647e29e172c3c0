/**
 * The parts of the MCP SDKs 1.x and 2.x that the bridge uses. Their types are declared here, so that the bridge imports
 * neither.
 */

import type { CanShow, ElicitParams } from '../handlers/client-form.ts'

/** The caller of a request, as authenticated by the SDK's own middleware. */
export interface McpCaller {
  /** The result of the server's token verification. */
  authInfo?: { clientId?: string; scopes?: readonly string[]; extra?: Record<string, unknown> }
  /** The id of the transport's session. It identifies a connection and proves no user. */
  transportSessionId?: string
}

/** A server of either SDK. */
export interface McpServerLike {
  registerTool(name: string, config: never, callback: never): unknown
  readonly server: {
    getClientCapabilities(): object | undefined
    getClientVersion(): { name: string } | undefined
    elicitInput?(params: never, options?: never): Promise<unknown>
  }
}

/** The result of `tools/call`. */
export type ToolResult =
  | {
      content: { type: 'text'; text: string }[]
      structuredContent?: Record<string, unknown>
      isError?: boolean
      _meta?: Record<string, unknown>
    }
  | { resultType: 'input_required'; inputRequests: Record<string, object>; requestState: string }

/** One request of a client, in the same form for both SDKs. */
export interface Incoming {
  caller: McpCaller
  clientName: string
  can: CanShow
  signal: AbortSignal
  requestState: unknown
  inputResponses: Readonly<Record<string, unknown>>
  /** Sends a form to the client within the request. Only SDK 1.x does so; 2.x returns `input_required`. */
  push?: (params: ElicitParams) => Promise<unknown>
}

const META = 'io.modelcontextprotocol/'
/** The timeout of a pushed form. The SDK's default of a minute is too short for a person. */
const PUSH_TIMEOUT_MS = 10 * 60_000

/** The second argument of a tool callback, of either SDK. */
interface CallbackContext {
  sessionId?: string
  signal?: AbortSignal
  requestId?: string | number
  authInfo?: McpCaller['authInfo']
  http?: { authInfo?: McpCaller['authInfo'] }
  mcpReq?: {
    signal: AbortSignal
    envelope?: Record<string, unknown>
    inputResponses?: Record<string, unknown>
    requestState(): unknown
  }
}

/** Reads a request of either SDK. */
export function readRequest({ server }: McpServerLike, given: unknown): Incoming {
  const context = given as CallbackContext
  const { mcpReq } = context
  const { envelope } = mcpReq ?? {}
  const modern = envelope?.[`${META}clientCapabilities`]
  const declared = (modern ?? server.getClientCapabilities() ?? {}) as { elicitation?: { form?: object; url?: object } }
  const client = envelope?.[`${META}clientInfo`] as { name?: unknown } | undefined
  const { elicitation } = declared
  const signal = mcpReq?.signal ?? context.signal ?? new AbortController().signal
  return {
    caller: callerOf(context),
    clientName: String(client?.name ?? server.getClientVersion()?.name ?? 'client'),
    // An empty capability means forms, because URL mode was added to the protocol later.
    can: { form: elicitation !== undefined && (!!elicitation.form || !elicitation.url), url: !!elicitation?.url },
    signal,
    requestState: mcpReq?.requestState(),
    inputResponses: mcpReq?.inputResponses ?? {},
    ...(!mcpReq && {
      push: (params) => {
        const options = { signal, timeout: PUSH_TIMEOUT_MS, relatedRequestId: context.requestId }
        return Promise.resolve(server.elicitInput?.(params as never, options as never))
      },
    }),
  }
}

/**
 * Returns the caller of a request. It reads only what the transport authenticated, and nothing that the client wrote.
 */
export function callerOf(given: unknown): McpCaller {
  const { authInfo, http, sessionId } = given as CallbackContext
  const auth = http?.authInfo ?? authInfo
  return { ...(auth && { authInfo: auth }), ...(sessionId !== undefined && { transportSessionId: sessionId }) }
}
