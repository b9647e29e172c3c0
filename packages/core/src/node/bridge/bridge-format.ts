import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto'

/**
 * The messages between a runner inside a sandbox and its host. Both hold a key that no other process in the sandbox
 * has. Messages are readable and carry an HMAC; tokens travel encrypted in a separate file.
 */
export interface BridgeRequest {
  /** Random and never reused. It is the nonce of the answer. */
  id: string
  /** The path for the answer. */
  path: string
  integrations: readonly string[]
  reason?: string
}

export interface BridgeResponse {
  id: string
  success: boolean
  integrations: readonly string[]
  timestamp: number
  /** Environment variables are in the encrypted file beside it. */
  sealed: boolean
}

/**
 * Creates a key for one sandbox. Pass it through the runner's stdin, because every process of the user can read
 * environments.
 *
 * @example
 * const key = createBridgeKey()
 * runner.stdin.write(`${key}\n`)
 */
export function createBridgeKey(): string {
  return randomBytes(32).toString('base64url')
}

export function newRequestId(): string {
  return randomBytes(16).toString('base64url')
}

/** The line that a runner prints. */
export function requestLine(key: string, request: BridgeRequest): string {
  const { integrations, reason, id, path } = request
  return JSON.stringify({
    type: 'auth_needed',
    integrations,
    ...(reason === undefined ? {} : { reason }),
    bridge: { id, path, mac: macOf(key, requestParts(request)) },
  })
}

/** Returns the request in a line; null if the line was not written with the key. */
export function parseRequestLine(key: string, line: string): BridgeRequest | null {
  if (!line.startsWith('{"type":"auth_needed"') || line.length > 65_536) return null
  try {
    const { integrations, reason, bridge } = JSON.parse(line)
    const request: BridgeRequest = {
      id: bridge.id,
      path: bridge.path,
      integrations,
      ...(reason === undefined ? {} : { reason }),
    }
    return isSame(bridge.mac, macOf(key, requestParts(request))) ? request : null
  } catch {
    return null
  }
}

export function responseText(key: string, response: BridgeResponse): string {
  return JSON.stringify({ ...response, mac: macOf(key, responseParts(response)) })
}

/** Returns the answer to this request; null if it was not written with the key. */
export function parseResponse(key: string, id: string, text: string): BridgeResponse | null {
  try {
    const { mac, success, integrations, timestamp, sealed } = JSON.parse(text)
    const response: BridgeResponse = { id, success, integrations, timestamp, sealed }
    return isSame(mac, macOf(key, responseParts(response))) ? response : null
  } catch {
    return null
  }
}

/** Encrypts environment variables for one request. */
export function sealVariables(key: string, id: string, variables: Readonly<Record<string, string>>): string {
  const iv = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', sealingKey(key, id), iv)
  cipher.setAAD(Buffer.from(id))
  const sealed = Buffer.concat([cipher.update(JSON.stringify(variables), 'utf8'), cipher.final()])
  return Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64')
}

/** Decrypts them; null if they were not encrypted for this request. */
export function openVariables(key: string, id: string, text: string): Record<string, string> | null {
  try {
    const bytes = Buffer.from(text, 'base64')
    const decipher = createDecipheriv('aes-256-gcm', sealingKey(key, id), bytes.subarray(0, 12))
    decipher.setAAD(Buffer.from(id))
    decipher.setAuthTag(bytes.subarray(12, 28))
    const plain = Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()])
    return JSON.parse(plain.toString('utf8'))
  } catch {
    return null
  }
}

export const sealedPath = (path: string) => `${path}.sealed`

// The JSON of a list separates its parts unambiguously, unlike joined text.
const requestParts = ({ id, path, integrations, reason }: BridgeRequest) => [
  'request',
  id,
  path,
  integrations,
  reason ?? null,
]
const responseParts = (response: BridgeResponse) => {
  const { id, success, integrations, timestamp, sealed } = response
  return ['response', id, success, integrations, timestamp, sealed]
}

function macOf(key: string, parts: readonly unknown[]): string {
  return createHmac('sha256', Buffer.from(key, 'base64url')).update(JSON.stringify(parts)).digest('base64url')
}

function isSame(given: unknown, expected: string): boolean {
  if (typeof given !== 'string' || given.length !== expected.length) return false
  return timingSafeEqual(Buffer.from(given), Buffer.from(expected))
}

function sealingKey(key: string, id: string): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', Buffer.from(key, 'base64url'), id, 'holdpoint bridge variables', 32))
}
