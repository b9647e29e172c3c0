/** Bodies of the connections endpoints. Times of day are none of them; durations are in seconds. */
export interface ConnectRequest {
  /** The program's session; a new one is made when it is omitted or unknown. */
  session_id?: string
  /** For terminals without a browser: the service's own page, and a code to type there. */
  flow?: 'device'
  /** `http://127.0.0.1:<port>/…` where the program listens; the browser must then be on the same machine. */
  loopback_redirect?: string
  scopes?: string[]
  return_to?: string
  /** Named on the page that asks: "MacBook of Ada". */
  device?: string
}

/** Answer when a flow begins: the page to open, and what to poll with until the person is done. */
export interface ConnectResponse {
  service: string
  session_id: string
  authorization_url: string
  state: string
  message: string
  session_reset?: true
  /** Goes as `Authorization: Bearer` with `GET /auth/status/:state`; nobody else can ask. */
  poll_secret: string
  /** To show: the page shows the same one. Of a device flow: to type in. */
  user_code: string
  expires_in: number
  interval: number
}

/** Answer to a poll of a flow: go on asking, ask slower, or stop because it ended. */
export type StatusResponse =
  | { status: 'pending'; message: string; interval: number }
  /** With status 429: five seconds more between questions, for good. */
  | { status: 'slow_down'; error: 'slow_down'; code: 'slow_down'; message: string; interval: number }
  /** Without tokens when the flow was begun with a session token. */
  | { status: 'completed'; account_id: string; token?: string; refresh_token?: string; message: string }
  | { status: 'denied' | 'failed'; error: string; message: string }

/** How one service stands for this user: connected, to be connected again, or not there. */
export interface ServiceConnection {
  connected: boolean
  /** Was connected; the service does not accept it any more. */
  reconnect?: true
  user?: Record<string, string>
  metadata?: Record<string, string>
  scopes?: string[]
  /** When there are several. */
  accounts?: { account_id: string; default: boolean; connected: boolean; user: Record<string, string> }[]
}

/** Answer to "what is connected?", by service, for a settings page or a status command. */
export interface ConnectionsResponse {
  connections: Record<string, ServiceConnection>
}

/** Answer after an account was taken off, with a sentence to print. */
export interface DisconnectResponse {
  service: string
  connected: boolean
  message: string
}

/** A new pair of session tokens. The old refresh token is used up: store both. */
export interface RefreshResponse {
  token: string
  refresh_token: string
  message: string
}

/** Every refusal of `/connections/*` and `/auth/*`. */
export interface ConnectionsError {
  error: string
  code: string
  message: string
  session_reset_required?: true
}

/** Answer to a question that a command-line tool sent: done, or what it must confirm or say next. */
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
