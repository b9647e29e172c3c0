import { createContext } from 'react'
import { useInside } from '../card/elements/inside.ts'

/** Where one account stands. */
export type ConnectStatus =
  | 'idle'
  | 'opening'
  /** In the other window. */
  | 'waiting'
  /** The person says it is done; the server looks. */
  | 'checking'
  /** The browser would not open a window: there is a link. */
  | 'blocked'
  /** This browser has one window only: there is a link that leaves the page. */
  | 'redirect'
  | 'denied'
  | 'wrong-account'
  | 'failed'
  | 'connected'
  /** Connected, with fewer permissions than were asked for. */
  | 'connected-fewer'

/** How connecting one account stands, for applications that hand in `rows` instead of leaving it to the card. */
export interface ConnectRow {
  readonly status: ConnectStatus
  /** The address of the flow, http(s) only. */
  readonly url?: string | undefined
  /** The window that the user was in was closed. */
  readonly closed?: boolean | undefined
  /** The last request of the user did not reach the server. */
  readonly notSent?: boolean | undefined
  /** Since then the connection was lost and is back. */
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
