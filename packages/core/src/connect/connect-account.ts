import { browserEnvironment } from '../client/api/environment.ts'
import type { ClientEnvironment, HoldpointClient } from '../client/api/types.ts'
import type { BrowserWindow } from '../dom-types.ts'
import { beginAttempt } from './attempt.ts'
import { listenForFlow } from './flow-channel.ts'
import { flowMode, openFlowWindow } from './flow-window.ts'

/** The state of one attempt to connect an account, as a person sees it. Only the server sets `connected`. */
export type ConnectState =
  | { step: 'opening' }
  /**
   * In the other window. `closed`: it seems to be closed, but may only be unreachable for this page. `notSent`: the
   * request to the server failed.
   */
  | { step: 'waiting'; url: string; closed: boolean; notSent?: true }
  /** No window could be opened: show the address as a link. */
  | { step: 'blocked'; url: string }
  /** This page is being left; the flow returns to `returnTo`. */
  | { step: 'leaving'; url: string }
  /** The account provider needs its own widget instead of an address. */
  | { step: 'client-token'; flowId: string; clientToken: string }
  /** The server was asked to check the account. */
  | { step: 'checking'; url?: string }
  | { step: 'connected' }
  | { step: 'denied' | 'wrong-account' }
  /** `notSent`: the request did not reach the server. */
  | { step: 'failed'; message: string; notSent?: true }
  /** The question itself has ended (expired, cancelled, …), or `stop` was called. */
  | { step: 'ended' }

/** The account to connect, its question, and the mode: a separate window, or leaving the page. */
export interface ConnectAccountOptions {
  client: Pick<HoldpointClient, 'connectAccount' | 'submitAuthResult' | 'subscribe' | 'getSnapshot'>
  interactionId: string
  integration: string
  /** A separate window by default, except in browsers inside other apps. */
  mode?: 'popup' | 'redirect'
  /** The address that the flow returns to; this page by default. */
  returnTo?: string
  onChange?(state: ConnectState): void
  /** Leaves the page in `redirect` mode; `window.location.assign` by default. Use it to announce the target first. */
  leave?(url: string): void
  window?: BrowserWindow
  environment?: Partial<ClientEnvironment>
}

/** One attempt to connect an account, created by `connectAccount`. Draw it from `state()`. */
export interface ConnectAttempt {
  state(): ConnectState
  /** The last state: `connected`, `denied`, `wrong-account`, `failed` or `ended`. */
  readonly done: Promise<ConnectState>
  /** Opens the window again; call it in a click. Returns false if it was blocked again. */
  openAgain(): boolean
  /** Asks the server to check the account, for a button such as "I have finished". */
  check(): void
  stop(): void
}

/**
 * Connects one account of a question. Call it synchronously in the click, because the window is opened before anything
 * is awaited, or the browser would block it. The window's report is a hint; only the event stream decides.
 *
 * @example
 * button.onclick = () => {
 *   const attempt = connectAccount({ client, interactionId, integration: 'slack', onChange: draw })
 *   again.onclick = () => attempt.openAgain()
 * }
 */
export function connectAccount(options: ConnectAccountOptions): ConnectAttempt {
  const env = { ...browserEnvironment(), ...options.environment }
  return beginAttempt({ ...options, env, listenForFlow, flowMode, openFlowWindow })
}
