import type { Limits } from '@holdpoint/core/internal'
import type { Logger } from '../base/logger.ts'
import type { Principal } from '../base/principal.ts'
import { InteractionRefused } from '../engine/api/interaction-refused.ts'
import type { HookOptions } from '../engine/api/options.ts'
import type { ToolContext } from '../engine/api/tool-context.ts'
import { assembleEngine } from '../engine/assemble.ts'
import { assembleHoldpoint, type Holdpoint } from '../holdpoint.ts'
import { answerIncoming } from '../http/create-fetch.ts'
import { appOf } from '../http/mounted.ts'
import type { HoldpointOptions, HttpServerOptions } from '../options.ts'
import { settingsOf } from '../settings-of.ts'
import { keptStore, type PageStorage } from './kept-store.ts'
import { type MockConnectResult, mockAccounts } from './mock-accounts.ts'
import { mockCipher } from './mock-cipher.ts'
import { mockNetwork } from './network.ts'
import { pageRequest } from './page-request.ts'

/** Options of `mockServer`. */
export interface MockServerOptions {
  /**
   * The path of the routes, which is the `url` of the client.
   *
   * @default '/holdpoint'
   */
  url?: string
  /**
   * The user who is signed in.
   *
   * @default 'ada'
   */
  userId?: string
  /**
   * Where sessions, questions and answers are kept over a reload of the page, such as `sessionStorage`. Secrets and
   * files are not kept.
   *
   * @default undefined: a reload begins empty
   */
  storage?: PageStorage
  /**
   * How the user ends a flow that connects an account.
   *
   * @default every account is connected
   */
  connectResult?: MockConnectResult | ((integration: string) => MockConnectResult)
  /**
   * Milliseconds from the start of a flow to its end.
   *
   * @default 800
   */
  connectAfterMs?: number
  /**
   * The address that the pop-up opens.
   *
   * @default https://accounts.<integration>.example/authorize, which no service answers
   */
  connectPage?: (flow: { integration: string; flowId: string }) => string
  /** The user actions that the session accepts, as in `createHoldpoint`. */
  userActions?: HoldpointOptions['userActions']
  /** Options of the HTTP side, as in `createHoldpoint`. */
  http?: Omit<HttpServerOptions, 'mountPath'>
  hooks?: HookOptions
  limits?: Partial<Limits>
  /** @default the console, for warnings and errors */
  logger?: Logger
}

/** One tool call that the mock server plays. */
export interface MockCall {
  sessionId: string
  toolName: string
  /** @default 'call-' and the name of the tool */
  toolCallId?: string
  /** @default 'run-1' */
  runId?: string
  /** The input that the model passed to the tool. */
  input?: unknown
  /** Runs the tool. It asks with `ctx`, like a tool on a server, and returns its result. */
  execute: (ctx: ToolContext) => unknown
}

/** A Holdpoint server inside of a page or a test. */
export interface MockServer {
  /** The path below which the server answers. */
  readonly url: string
  /** The Holdpoint of the server, for everything that `call` does not cover. */
  readonly holdpoint: Holdpoint
  /** Sends a request to the mock server. Pass it to the client where no service worker runs. */
  readonly fetch: typeof globalThis.fetch
  /**
   * Plays one tool call, and resolves with the result of the tool. After a reload, call it again with the same ids:
   * answered questions are not asked again. A refusal rejects the promise; you may leave it unhandled.
   *
   * @example
   * mock.call({
   *   sessionId: 'task-42',
   *   toolName: 'delete_files',
   *   execute: (ctx) => ctx.approve({ prompt: 'Delete 3 files?' }),
   * })
   */
  call(call: MockCall): Promise<unknown>
  /** Signs a user in. Null signs the user out, so that requests are answered with 401. */
  signIn(userId: string | null): Promise<void>
  /** Connects an account of the signed-in user without a flow. */
  connectAccount(integration: string, scopes?: readonly string[]): void
  /** Pass false to end the streams and to fail all requests, until you pass true again. */
  setOnline(online: boolean): void
  /** Stops timers and streams. `storage` does not change. */
  close(): Promise<void>
}

/** Accepts every input, because a mock has no schema for its tools. */
const anyInput = { safeParseAsync: async (data: unknown) => ({ success: true as const, data }) }

/**
 * Creates a mock server: the engine and the routes of `createHoldpoint` over a store in memory, in the page itself. It
 * needs no back end and opens no port, and it runs in browsers and in Node.
 *
 * @example
 * const mock = mockServer({ storage: sessionStorage })
 * const client = createHoldpointClient({ sessionId: 'task-42', transport: sse({ url: mock.url, fetch: mock.fetch }) })
 */
export function mockServer(options: MockServerOptions = {}): MockServer {
  const { url = '/holdpoint', storage, connectResult = 'connected', connectAfterMs = 800 } = options
  const connectPage = options.connectPage ?? (({ integration }) => `https://accounts.${integration}.example/authorize`)
  let user: Principal | null = { userId: options.userId ?? 'ada' }
  const accounts = mockAccounts({
    result: typeof connectResult === 'function' ? connectResult : () => connectResult,
    afterMs: connectAfterMs,
    page: connectPage,
    storage,
    storageKey: `${STORAGE_KEY}:accounts`,
  })
  const { userActions, http, hooks, limits, logger } = options
  const given: HoldpointOptions = {
    accounts,
    authenticate: () => user,
    http: { ...http, mountPath: url },
    security: { allowedHosts: 'any' },
    ...(userActions && { userActions }),
    ...(hooks && { hooks }),
    ...(limits && { limits }),
    ...(logger && { logger }),
  }
  const kernel = assembleEngine(keptStore(storage, STORAGE_KEY), settingsOf(given), mockCipher())
  const holdpoint = assembleHoldpoint(kernel, given)
  const network = mockNetwork()

  const play = async ({ sessionId, toolName, toolCallId, runId = 'run-1', input = {}, execute }: MockCall) => {
    if (!user) throw new TypeError('mock.call needs a signed-in user: call mock.signIn first.')
    const tool = holdpoint.tool({ name: toolName, input: anyInput, execute: (_input, ctx) => execute(ctx) })
    const ids = { runId, toolCallId: toolCallId ?? `call-${toolName}` }
    const run = await holdpoint.session(sessionId, user).runTool(tool, input, ids)
    return run.status === 'completed' ? run.result : undefined
  }

  return {
    url,
    holdpoint,
    fetch(input, init) {
      const request = toRequest(input, init)
      return network.carry(request.signal, () => answerIncoming(appOf(holdpoint), pageRequest(request)))
    },
    call(call) {
      const result = play(call)
      // A script need not handle a refusal, because it is a normal outcome. Other errors are errors of the script.
      result.catch((error) => {
        if (!(error instanceof InteractionRefused))
          kernel.log.error(`The mock tool ${call.toolName} failed.`, { error })
      })
      return result
    },
    async signIn(userId) {
      const before = user
      user = userId === null ? null : { userId }
      if (before && before.userId !== userId) await holdpoint.revoke(before)
    },
    connectAccount(integration, scopes) {
      if (user) accounts.set(user, integration, scopes)
    },
    setOnline: network.setOnline,
    async close() {
      accounts.stop()
      network.setOnline(false)
      await holdpoint.close()
    },
  }
}

const STORAGE_KEY = 'holdpoint-mock'

/** Creates a Request. In Node there is no page that completes a relative address. */
function toRequest(input: string | URL | Request, init: RequestInit | undefined): Request {
  if (input instanceof Request) return new Request(input, init)
  return new Request(new URL(String(input), globalThis.location?.href ?? 'http://localhost/'), init)
}
