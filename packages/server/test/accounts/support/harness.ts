import { inspect } from 'node:util'
import {
  type LocalOAuth,
  type LocalOAuthOptions,
  localOAuth,
  TestBrowser,
  type VisitedPage,
} from '@holdpoint/conformance/local-oauth'
import { type AccountBroker, createAccountBroker } from '@holdpoint/server/accounts'
import type { Principal } from '../../../src/base/principal.ts'
import type { AccountBrokerOptions } from '../../../src/broker/shared/options.ts'
import type { ConnectResponse, StatusResponse } from '../../../src/broker/shared/wire.ts'
import { createWorld, SECRET, VAULT_KEY, type World } from './world.ts'

export const ORIGIN = 'http://localhost:4000'
export const BASE = `${ORIGIN}/holdpoint`

export interface Harness {
  world: World
  local: LocalOAuth
  broker: AccountBroker
  /** Everything that was logged or told to listeners. */
  said: string[]
  /** Another node on the same store. */
  node(options?: Partial<AccountBrokerOptions>): AccountBroker
  /** A person's browser; `userId` is signed in at the app. */
  browser(userId?: string, on?: AccountBroker): TestBrowser
  call<T = Record<string, unknown>>(path: string, options?: CallOptions): Promise<Answered<T>>
  close(): Promise<void>
}

export interface Answered<T> {
  status: number
  body: T
  headers: Headers
}

export interface CallOptions {
  method?: string
  bearer?: string | undefined
  body?: unknown
  headers?: Record<string, string>
  on?: AccountBroker
}

export async function createHarness(
  options: Partial<AccountBrokerOptions> = {},
  oauth: Partial<LocalOAuthOptions> = {},
): Promise<Harness> {
  const world = createWorld()
  const local = await localOAuth({ redirectUris: [`${BASE}/connections/callback`], ...oauth })
  const said: string[] = []
  const log = (message: string, facts?: unknown) => said.push(`${message} ${inspect(facts, { depth: 9 })}`)
  const node = (more: Partial<AccountBrokerOptions> = {}) =>
    createAccountBroker({
      store: world.store,
      now: world.now,
      providers: [local.slack, local.gmail],
      vaultKeys: [VAULT_KEY],
      sessionSecrets: [SECRET],
      baseUrl: BASE,
      development: true,
      authenticate: signedIn,
      logger: { debug: log, info: log, warn: log, error: log },
      onEvent: (event) => said.push(inspect(event, { depth: 9 })),
      onChange: (change) => said.push(inspect(change, { depth: 9 })),
      ...options,
      ...more,
    })
  const broker = node()

  return {
    world,
    local,
    broker,
    said,
    node,
    browser(userId, on = broker) {
      const browser = new TestBrowser({
        local: (request) => (request.url.startsWith(ORIGIN) ? on.fetch(request) : null),
      })
      if (userId) browser.cookies.set(new URL(ORIGIN).host, new Map([['user', userId]]))
      return browser
    },
    async call(path: string, { method, bearer, body, headers, on = broker }: CallOptions = {}) {
      const request = new Request(`${BASE}${path}`, {
        method: method ?? (body === undefined ? 'GET' : 'POST'),
        headers: {
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...(bearer && { authorization: `Bearer ${bearer}` }),
          ...headers,
        },
        ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      })
      const response = await on.fetch(request)
      const text = await response.text()
      return { status: response.status, body: text ? JSON.parse(text) : {}, headers: response.headers }
    },
    close: () => local.close(),
  }
}

/** The app's own session library: a cookie that says who. */
function signedIn(request: Request): Principal | null {
  const userId = /(?:^|; )user=([^;]+)/.exec(request.headers.get('cookie') ?? '')?.[1]
  return userId ? { userId } : null
}

/** Grants access at the service, as one of the users. */
export function allow(
  browser: TestBrowser,
  page: VisitedPage,
  login = 'ada',
  ...without: string[]
): Promise<VisitedPage> {
  return browser.submit(page, [
    ['login', login],
    ['decision', 'allow'],
    ...without.map((scope): [string, string] => ['without', scope]),
  ])
}

export function deny(browser: TestBrowser, page: VisitedPage): Promise<VisitedPage> {
  return browser.submit(page, { login: 'ada', decision: 'deny' })
}

/** A whole app flow of a signed-in user. */
export async function connectAs(
  harness: Harness,
  userId: string,
  integration = 'slack',
  login = userId,
): Promise<VisitedPage> {
  const browser = harness.browser(userId)
  const started = await harness.broker.start({ userId }, integration, { flowId: `flow-${userId}-${integration}` })
  if (!('url' in started)) throw new Error('no url')
  return allow(browser, await browser.open(started.url), login)
}

export interface SignedIn {
  status: string
  token: string
  refresh_token: string
  account_id: string
}

/** Begins connecting, as a command-line tool does. */
export async function connectCli(
  harness: Harness,
  service = 'slack',
  body: object = {},
  bearer?: string,
): Promise<ConnectResponse> {
  const answered = await harness.call<ConnectResponse>(`/connections/connect?service=${service}`, { body, bearer })
  if (answered.status !== 200) throw new Error(JSON.stringify(answered.body))
  return answered.body
}

export function pollCli(
  harness: Harness,
  { state, poll_secret }: ConnectResponse,
  headers: Record<string, string> = {},
) {
  return harness.call<SignedIn & StatusResponse>(`/auth/status/${state}`, { bearer: poll_secret, headers })
}

/** A whole command-line sign-in: connect, click, allow, poll. */
export async function signInCli(
  harness: Harness,
  login = 'ada',
  service = 'slack',
  body: object = {},
  bearer?: string,
) {
  const started = await connectCli(harness, service, body, bearer)
  const browser = harness.browser()
  await allow(browser, await browser.submit(await browser.open(started.authorization_url)), login)
  return { started, status: (await pollCli(harness, started)).body }
}
