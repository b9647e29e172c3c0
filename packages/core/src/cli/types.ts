import type { ClientEnvironment } from '../client/types.ts'
import type { TokenLock, TokenManager, TokenStore } from '../tokens/types.ts'

/** Settings of `createConnections`. Only `baseUrl` is needed. */
export interface ConnectionsOptions {
  /** Where the service is: `https://api.example.com`, with a path if it is mounted below one. */
  baseUrl: string
  /** Where tokens and the session id are kept; default in memory. In a program for the command line: `fileTokenStore`. */
  store?: TokenStore
  lock?: TokenLock
  /** Which account of the store; default `default`. */
  account?: string
  /** How this program is called on the page that asks the person: "notes-cli on Ada's laptop". */
  device?: string
  /** For services that take a `session_id` for a credential in list and disconnect. Ours does not, unless told to. */
  legacySessionId?: boolean
  environment?: Partial<ClientEnvironment>
}

/** How to bring the person to the page where a service is connected, and how long to wait for them. */
export interface ConnectOptions {
  /** Gets the address to open or to show. `userCode` must be the one that the page shows. */
  onUrl(url: string, info: { userCode?: string; sessionReset: boolean; expiresInMs: number }): unknown
  /** Before each further question to the service. */
  onPending?(info: { waitedMs: number; nextInMs: number }): void
  scopes?: readonly string[]
  /** `device`: the person opens the page on another device and types a code there. */
  flow?: 'device'
  /** Wait until it is connected also when this program is signed in already; default: do not. */
  wait?: boolean
  signal?: AbortSignal
}

/** What became of connecting a service. */
export interface Connected {
  service: string
  /** `opened`: the page was opened; whether it is connected, `list` says. */
  status: 'connected' | 'opened'
  sessionId: string
  /** The service did not know our session any more and made a new one: earlier connections are gone. */
  sessionReset: boolean
  accountId?: string
}

/** How one service stands for this person, as `list` tells it. */
export interface ServiceConnection {
  connected: boolean
  /** Was connected; the service does not take it any more. */
  reconnect?: boolean
  user?: Readonly<Record<string, unknown>>
  metadata?: Readonly<Record<string, unknown>>
  scopes?: readonly string[]
}

/** Settings of one question to the service: ask before doing anything, tell it more, or call it off. */
export interface AskOptions {
  /** Ask for confirmation before anything is done. */
  confirm?: boolean
  context?: Readonly<Record<string, unknown>>
  signal?: AbortSignal
}

/** What the service made of a prompt. Look at `status`: it may be done, still at work, or want a person's yes first. */
export type AskReply =
  | { status: 'completed' | 'pending'; message: string; data?: unknown }
  | { status: 'confirmation_required'; message: string; confirmationToken: string; data?: unknown }
  | { status: 'interactive_response'; message: string; sessionId: string; data?: unknown }

/** A conversation of several turns; it remembers which. */
export interface Conversation {
  ask(prompt: string, options?: Omit<AskOptions, 'confirm'>): Promise<AskReply>
  sessionId(): string | undefined
}

/** The client of the connections protocol. Made by `createConnections`. */
export interface Connections {
  /** Connects a service. The first one signs this program in. */
  connect(service: string, options: ConnectOptions): Promise<Connected>
  list(options?: { signal?: AbortSignal }): Promise<Readonly<Record<string, ServiceConnection>>>
  disconnect(service: string, options?: { accountId?: string; signal?: AbortSignal }): Promise<{ connected: boolean }>
  /** Ends the session there, and here in any case. The session id is kept. */
  logout(): Promise<void>
  ask(prompt: string, options?: AskOptions): Promise<AskReply>
  /** Confirms, or with false calls off, what a reply asked to confirm. */
  confirm(confirmationToken: string, approved: boolean, options?: { signal?: AbortSignal }): Promise<AskReply>
  conversation(): Conversation
  sessionId(): Promise<string | undefined>
  /** For other calls to the same service: `connections.tokens.fetch(…)`. */
  readonly tokens: TokenManager
}
