import { createContext } from 'react'
import { useInside } from '../card/elements/inside.ts'

/** Where one account stands. */
export type ConnectStatus =
  | 'idle'
  | 'opening'
  /** In the other window. */
  | 'waiting'
  /** The person reports that the account is connected, and the server checks it. */
  | 'checking'
  /** The browser blocked the window, so the row shows a link. */
  | 'blocked'
  /** The browser has only one window, so the row shows a link that leaves the page. */
  | 'redirect'
  | 'denied'
  | 'wrong-account'
  | 'failed'
  | 'connected'
  /** The account is connected with fewer permissions than requested. */
  | 'connected-fewer'

/** The state of connecting one account, for applications that pass `rows` instead of leaving it to the card. */
export interface ConnectRow {
  readonly status: ConnectStatus
  /** The address of the flow, http(s) only. */
  readonly url?: string | undefined
  /** The user closed the window of the flow. */
  readonly closed?: boolean | undefined
  /** The last request of the user did not reach the server. */
  readonly notSent?: boolean | undefined
  /** The connection was lost since then and is restored. */
  readonly isBack?: boolean | undefined
}

export interface Connecting {
  integrations: readonly string[]
  row: (integration: string) => ConnectRow
  /** Called within the click: a window opens only then. */
  start: (integration: string) => void
  finished: (integration: string) => void
}

export const ConnectContext = /* @__PURE__ */ createContext<Connecting | null>(null)

export const useConnecting = (): Connecting => useInside(ConnectContext, 'AuthRequestCard')
