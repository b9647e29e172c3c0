import type { ClientEnvironment } from '../client/api/types.ts'
import type { TokenLock, TokenManager, TokenStore } from '../tokens/types.ts'

/** Settings of `createAccountsClient`. Only `baseUrl` is needed. */
export interface AccountsClientOptions {
  /** The address of the service: `https://api.example.com`, with a path if it is mounted below one. */
  baseUrl: string
  /** Where tokens and the session id are stored; in memory by default. Command-line programs use `fileTokenStore`. */
  store?: TokenStore
  lock?: TokenLock
  /** The account in the store; `default` by default. */
  account?: string
  /** The name of this program on the consent page: "notes-cli on Ada's laptop". */
  device?: string
  /** For services that accept a `session_id` as credential in list and disconnect. Ours does so only if configured. */
  legacySessionId?: boolean
  environment?: Partial<ClientEnvironment>
}

/** How to bring the person to the page that connects a service, and how long to wait. */
export interface ConnectOptions {
  /** Receives the address to open or to show. `userCode` must match the one on the page. */
  onUrl(url: string, info: { userCode?: string; sessionReset: boolean; expiresInMs: number }): unknown
  /** Called before each further poll. */
  onPending?(info: { waitedMs: number; nextInMs: number }): void
  scopes?: readonly string[]
  /** `device`: the person opens the page on another device and enters a code there. */
  flow?: 'device'
  /** Also wait for the account if this program is already signed in. By default it does not wait. */
  wait?: boolean
  signal?: AbortSignal
}

/** The result of connecting a service. */
export interface Connected {
  service: string
  /** `opened`: the page was opened; `list` reports whether the service is connected. */
  status: 'connected' | 'opened'
  sessionId: string
  /** The service had lost our session and created a new one, so earlier accounts are gone. */
  sessionReset: boolean
  accountId?: string
}

/** The state of one service for this user, as `list` returns it. */
export interface IntegrationState {
  connected: boolean
  /** Was connected; the service rejects the account now. */
  reconnect?: boolean
  user?: Readonly<Record<string, unknown>>
  metadata?: Readonly<Record<string, unknown>>
  scopes?: readonly string[]
}

/** Options of one request to the service. */
export interface AskOptions {
  /** Ask for confirmation before any action. */
  confirm?: boolean
  context?: Readonly<Record<string, unknown>>
  signal?: AbortSignal
}

/** The service's response to a prompt. Its `status` is done, still working, or waiting for confirmation. */
export type AskResponse =
  | { status: 'completed' | 'pending'; message: string; data?: unknown }
  | { status: 'confirmation_required'; message: string; confirmationToken: string; data?: unknown }
  | { status: 'interactive_response'; message: string; sessionId: string; data?: unknown }

/** A conversation of several turns. It keeps its id. */
export interface Conversation {
  ask(prompt: string, options?: Omit<AskOptions, 'confirm'>): Promise<AskResponse>
  sessionId(): string | undefined
}

/** The client for connected accounts, created by `createAccountsClient`. */
export interface AccountsClient {
  /** Connects a service. The first account signs this program in. */
  connect(service: string, options: ConnectOptions): Promise<Connected>
  list(options?: { signal?: AbortSignal }): Promise<Readonly<Record<string, IntegrationState>>>
  disconnect(service: string, options?: { accountId?: string; signal?: AbortSignal }): Promise<{ connected: boolean }>
  /** Ends the session on the server, and here in any case. The session id is kept. */
  logout(): Promise<void>
  ask(prompt: string, options?: AskOptions): Promise<AskResponse>
  /** Confirms an action that a response asked to confirm, or cancels it with false. */
  confirm(confirmationToken: string, approved: boolean, options?: { signal?: AbortSignal }): Promise<AskResponse>
  conversation(): Conversation
  sessionId(): Promise<string | undefined>
  /** For other calls to the same service: `accounts.tokens.fetch(…)`. */
  readonly tokens: TokenManager
}
