import type { BrowserTabs } from '../dom-types.ts'
import type { HoldpointEvent } from '../protocol/events.ts'
import type { ResetReason } from '../protocol/frames.ts'
import type { ClientMessage } from '../protocol/index.ts'
import type { InboxPage, SessionSnapshot } from '../protocol/snapshot.ts'

/** Clock, randomness and network, injected so that tests control them. */
export interface Environment {
  /** Milliseconds since the epoch. */
  now(): number
  setTimeout(callback: () => void, ms: number): unknown
  clearTimeout(handle: unknown): void
  /** 0 ≤ x < 1. */
  random(): number
  /** An unguessable id. */
  id(): string
  fetch: typeof globalThis.fetch
  /** How pages of one origin find each other, where a browser has Web Locks and BroadcastChannel. */
  tabs?: BrowserTabs | undefined
}

/** The callbacks from a transport to its client. They may be called many times, but not after `close`. */
export interface TransportListener {
  /** The connection is open; events follow. */
  open(): void
  events(batch: readonly { cursor: string; event: HoldpointEvent }[]): void
  /** The server cannot continue from this cursor. */
  reset(reason: ResetReason): void
  /** Bytes arrived that are no event, such as a heartbeat. */
  alive(): void
  /** One event could not be read. The stream continues. */
  malformed(error: { code: string; message: string }): void
  /** The connection ended. The client decides when to try again. */
  down(error: TransportFailure): void
}

/** Why a connection ended. The client decides by `code` whether to try again, to wait or to ask for credentials. */
export interface TransportFailure {
  code:
    | 'network'
    | 'unauthorized'
    | 'forbidden'
    | 'not_found'
    | 'rate_limited'
    | 'server'
    | 'protocol'
    | 'ended'
    | 'silent'
  message: string
  retryAfterMs?: number | undefined
}

/** The response of the server to one call, over any transport. */
export interface SendResult {
  status: number
  body: unknown
  retryAfterMs?: number | undefined
}

/** The session and client that a transport serves. It receives them with each call and stores nothing. */
export interface TransportContext {
  sessionId: string
  clientId: string
  env: Environment
}

/** One live connection. Opened and closed by the client, never by itself. */
export interface TransportConnection {
  close(): void
}

/**
 * The port between client and network. A driver transfers frames only. The client decides when to connect, to give up
 * and to retry.
 */
export interface Transport {
  readonly name: string
  /** True if its connection counts among the few HTTP/1.1 connections that a browser allows for an origin. */
  readonly holdsRequest?: boolean
  /** All tabs of the origin read over one connection, so that a hidden tab costs none. */
  sharesStream?(env: Environment): boolean
  /** Starts reading after `cursor`; null reads from the log's beginning. */
  connect(context: TransportContext, cursor: string | null, listener: TransportListener): TransportConnection
  /** Rejects only if there is no response. An error status is a result. */
  send(context: TransportContext, message: ClientMessage, signal?: AbortSignal): Promise<SendResult>
  snapshot(
    context: TransportContext,
    signal?: AbortSignal,
  ): Promise<{ status: number; body: SessionSnapshot | unknown; retryAfterMs?: number | undefined }>
  /** Sends one JSON call below the mount point, such as `POST /sessions/:id/connect`. */
  request(
    context: TransportContext,
    path: string,
    init: {
      method: 'GET' | 'POST'
      body?: unknown
      raw?: Blob | Uint8Array
      contentType?: string
      signal?: AbortSignal
    },
  ): Promise<SendResult>
  inbox?(
    context: TransportContext,
    next: string | undefined,
    signal?: AbortSignal,
  ): Promise<{ status: number; body: InboxPage | unknown }>
}
