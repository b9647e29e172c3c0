/** Answer when a flow begins: the page to open, and what to poll with until the person is done. */
export interface ConnectResponse {
  service: string
  session_id: string
  authorization_url: string
  state: string
  message: string
  session_reset?: true
  /** Sent as `Authorization: Bearer` with `GET /auth/status/:state`, which only its holder can call. */
  poll_secret: string
  /** To show: the page shows the same one. In a device flow: to enter. */
  user_code: string
  expires_in: number
  interval: number
}

/** Response to a poll of a flow: continue, slow down, or stop because the flow ended. */
export type StatusResponse =
  | { status: 'pending'; message: string; interval: number }
  /** With status 429: five seconds more between polls, permanently. */
  | { status: 'slow_down'; error: 'slow_down'; code: 'slow_down'; message: string; interval: number }
  /** Without tokens when the flow was begun with a session token. */
  | { status: 'completed'; account_id: string; token?: string; refresh_token?: string; message: string }
  | { status: 'denied' | 'failed'; error: string; message: string }

/** The state of one service for this user: connected, expired, or missing. */
export interface ServiceConnection {
  connected: boolean
  /** Was connected; the service no longer accepts it. */
  reconnect?: true
  user?: Record<string, string>
  metadata?: Record<string, string>
  scopes?: string[]
  /** When there are several. */
  accounts?: { account_id: string; default: boolean; connected: boolean; user: Record<string, string> }[]
}

/** Response to a list of connections, by service, for a settings page or a status command. */
export interface ConnectionsResponse {
  connections: Record<string, ServiceConnection>
}

/** Response after an account was removed, with a sentence to print. */
export interface DisconnectResponse {
  service: string
  connected: boolean
  message: string
}

/** A new pair of session tokens. The old refresh token is spent: store both. */
export interface RefreshResponse {
  token: string
  refresh_token: string
  message: string
}

/** Every error of `/connections/*` and `/auth/*`. */
export interface ConnectionsError {
  error: string
  code: string
  message: string
  session_reset_required?: true
}

/** Response to a prompt of a command-line tool: done, or what it must confirm or answer next. */
export interface AskResponse {
  status: 'confirmation_required' | 'interactive_response' | 'completed' | 'error'
  message: string
  session_id?: string
  data?: unknown
  confirmation_token?: string
  requires_confirmation?: true
  interactive?: true
  code?: string
}
