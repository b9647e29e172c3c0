/** Response when a flow begins: the page to open, and the credentials for polling until the person is done. */
export interface ConnectResponse {
  service: string
  session_id: string
  authorization_url: string
  state: string
  message: string
  session_reset?: true
  /**
   * The client sends it as `Authorization: Bearer` with `GET /auth/status/:state`. Without it, the flow cannot be
   * polled.
   */
  poll_secret: string
  /**
   * The client shows this code, so that the person can compare it with the page. In a device flow, the person enters
   * it.
   */
  user_code: string
  expires_in: number
  interval: number
}

/** Response to a poll of a flow: continue, slow down, or stop because the flow ended. */
export type StatusResponse =
  | { status: 'pending'; message: string; interval: number }
  /** Sent with status 429. The interval between polls is now five seconds longer, permanently. */
  | { status: 'slow_down'; error: 'slow_down'; code: 'slow_down'; message: string; interval: number }
  /** Has no tokens if the flow was started with a session token. */
  | { status: 'completed'; account_id: string; token?: string; refresh_token?: string; message: string }
  | { status: 'denied' | 'failed'; error: string; message: string }

/** The state of one service for this user: connected, expired, or missing. */
export interface IntegrationState {
  connected: boolean
  /** True if the account was connected, but the service no longer accepts it. */
  reconnect?: true
  user?: Record<string, string>
  metadata?: Record<string, string>
  scopes?: string[]
  /** Present if the user has several accounts. */
  accounts?: { account_id: string; default: boolean; connected: boolean; user: Record<string, string> }[]
}

/** Response to a list of connections, by service, for a settings page or a status command. */
export interface ConnectionsResponse {
  connections: Record<string, IntegrationState>
}

/** Response after an account was removed, with a sentence for the user. */
export interface DisconnectResponse {
  service: string
  connected: boolean
  message: string
}

/** A new pair of session tokens. Store both: the old refresh token can no longer be used. */
export interface RefreshResponse {
  token: string
  refresh_token: string
  message: string
}

/** The format of all errors of `/connections/*` and `/auth/*`. */
export interface ConnectionsError {
  error: string
  code: string
  message: string
  session_reset_required?: true
}

/**
 * Response to a prompt of a command-line tool: the result, or the next question that the user must confirm or answer.
 */
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
