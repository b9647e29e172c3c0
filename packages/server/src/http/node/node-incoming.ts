import type { IncomingMessage, ServerResponse } from 'node:http'
import type { BodyLimits, Incoming } from '../requests/http-request.ts'
import { bodyAlreadyRead, limitedChunks, readBody } from '../requests/read-body.ts'
import { withRemoteAddress } from '../requests/remote-address.ts'

/** The properties that Express and body parsers add to a request. */
export interface NodeRequest extends IncomingMessage {
  originalUrl?: string
  body?: unknown
}

/** Describes a node:http request for the routes. It creates a web-standard Request only when one is needed. */
export class NodeIncoming implements Incoming {
  readonly #request: NodeRequest
  readonly #response: ServerResponse | undefined

  constructor(request: NodeRequest, response?: ServerResponse) {
    this.#request = request
    this.#response = response
  }

  get method(): string {
    return this.#request.method ?? 'GET'
  }

  get path(): string {
    return this.#target.split('?', 1)[0] ?? '/'
  }

  get query(): URLSearchParams {
    const target = this.#target
    const mark = target.indexOf('?')
    return new URLSearchParams(mark < 0 ? '' : target.slice(mark + 1))
  }

  header(name: string): string | null {
    const value = this.#request.headers[name] ?? (name === 'host' ? this.#request.headers[':authority'] : undefined)
    return Array.isArray(value) ? value.join(', ') : (value ?? null)
  }

  toRequest(): Request {
    const request = withRemoteAddress(this.#empty(), this.#request.socket?.remoteAddress)
    // Appends to the headers of the Request: passing a Headers object to its constructor would copy and validate each
    // one twice.
    for (const [name, value] of Object.entries(this.#request.headers)) {
      if (value === undefined || name.startsWith(':')) continue
      for (const one of Array.isArray(value) ? value : [value]) request.headers.append(name, one)
    }
    return request
  }

  async readBody(limits: BodyLimits): Promise<Uint8Array | string> {
    const request = this.#request
    if (request.readableDidRead || request.readableEnded) return parsedBody(request.body)
    // Keeps the request usable when reading stops early, because the refusal is sent over its socket.
    return readBody(request.iterator({ destroyOnReturn: false }), this.header('content-length'), limits)
  }

  async *bodyChunks(limits: BodyLimits): AsyncGenerator<Uint8Array> {
    const request = this.#request
    if (!request.readableDidRead && !request.readableEnded) {
      return yield* limitedChunks(request.iterator({ destroyOnReturn: false }), this.header('content-length'), limits)
    }
    // A parser of raw bodies has kept the bytes. Every other parser has replaced them.
    if (!(request.body instanceof Uint8Array)) bodyAlreadyRead()
    yield request.body
  }

  onGone(listener: () => void): void {
    if (this.#response?.destroyed) listener()
    else this.#response?.once('close', listener)
  }

  get #target(): string {
    return this.#request.originalUrl ?? this.#request.url ?? '/'
  }

  #empty(): Request {
    const { method } = this
    const { socket } = this.#request
    const scheme = 'encrypted' in socket && socket.encrypted ? 'https' : 'http'
    // Appended to a host, every target that begins with a slash is a path, even `//evil.example/`. Only proxies receive
    // others.
    const target = this.#target.startsWith('/') ? this.#target : '/'
    try {
      return new Request(`${scheme}://${this.header('host') ?? 'localhost'}${target}`, { method })
    } catch {
      return new Request(`${scheme}://localhost/`, { method })
    }
  }
}

/** Returns a body that a body parser has consumed. JSON becomes text again, so that our own limits apply. */
function parsedBody(body: unknown): Uint8Array | string {
  if (body instanceof Uint8Array || typeof body === 'string') return body
  return body === undefined ? bodyAlreadyRead() : JSON.stringify(body)
}
