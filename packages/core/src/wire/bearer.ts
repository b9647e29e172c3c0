/**
 * The subprotocol that a Holdpoint server speaks over WebSocket, and answers with.
 *
 * @example
 * const socket = new WebSocket(url, [webSocketProtocol, bearerToProtocol(token)])
 */
export const webSocketProtocol = 'holdpoint.v1'

const PREFIX = 'holdpoint.bearer.'

/**
 * A bearer token as a WebSocket subprotocol: a browser cannot set headers on an upgrade. base64url, because a
 * subprotocol is a header token and a bearer may hold characters that are none.
 *
 * @example
 * const socket = new WebSocket(url, [webSocketProtocol, bearerToProtocol(token)])
 */
export function bearerToProtocol(token: string): string {
  const binary = String.fromCharCode(...new TextEncoder().encode(token))
  return PREFIX + btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}

/**
 * The bearer token among offered subprotocols (`sec-websocket-protocol`), if there is a readable one.
 *
 * @example
 * const token = bearerFromProtocols(request.headers.get('sec-websocket-protocol') ?? '')
 * if (!token) return new Response(null, { status: 401 })
 */
export function bearerFromProtocols(offered: string | readonly string[]): string | null {
  const names = typeof offered === 'string' ? offered.split(',') : offered
  const encoded = names.map((name) => name.trim()).find((name) => name.startsWith(PREFIX))
  if (encoded === undefined) return null
  try {
    const binary = atob(encoded.slice(PREFIX.length).replaceAll('-', '+').replaceAll('_', '/'))
    return new TextDecoder('utf-8', { fatal: true }).decode(Uint8Array.from(binary, (char) => char.charCodeAt(0)))
  } catch {
    return null
  }
}
