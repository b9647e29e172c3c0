import { createFetch } from '../../../src/http/create-fetch.ts'
import type { HoldpointFetch } from '../../../src/http/mounted.ts'
import type { HttpOptions } from '../../../src/http/routing/options.ts'
import { type FakeEngine, fakeEngine } from './fake-engine.ts'

export interface Server {
  engine: FakeEngine
  fetch: HoldpointFetch
  /** One request as a logged-in page of the server's own origin would send it. */
  call(path: string, init?: CallInit): Promise<{ status: number; body: Said; headers: Headers; text: string }>
}

/** The parts of responses that tests check. */
export interface Said {
  error: { code: string; message: string; path?: string; logId?: string }
  cursor: string
  events: { text: string }[]
  you: { userId: string }
  next: string
}

export interface CallInit {
  method?: string
  /** Sent as JSON. */
  json?: unknown
  /** Sent as it is. */
  body?: BodyInit
  /** `null` leaves a header out. */
  headers?: Record<string, string | null>
  user?: string | null
}

/** A server over a fake engine whose users log in by an `x-user` header. */
export function serve(options: HttpOptions = {}, engine: FakeEngine = fakeEngine()): Server {
  const authenticate = (request: Request) => {
    const userId = request.headers.get('x-user')
    return userId ? { userId } : null
  }
  const fetch = createFetch(engine, { authenticate, ...options })
  return {
    engine,
    fetch,
    async call(path, init = {}) {
      const response = await fetch(makeRequest(path, init))
      const text = await response.text()
      return { status: response.status, body: text ? JSON.parse(text) : undefined, headers: response.headers, text }
    },
  }
}

export function makeRequest(path: string, { method, json, body, headers = {}, user = 'ada' }: CallInit = {}): Request {
  const sent = json === undefined ? body : JSON.stringify(json)
  const all: Record<string, string | null> = {
    host: 'app.example',
    ...(user === null ? {} : { 'x-user': user }),
    ...(sent === undefined ? {} : { origin: 'https://app.example', 'content-type': 'application/json' }),
    ...headers,
  }
  const given = Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== null)
  return new Request(`https://app.example/holdpoint${path}`, {
    method: method ?? (sent === undefined ? 'GET' : 'POST'),
    headers: given,
    ...(sent === undefined ? {} : { body: sent, duplex: 'half' }),
  } as RequestInit)
}

/** Reads a stream until it holds `count` frames with ids, and gives their events' texts. */
export async function readTexts(response: Response, count: number): Promise<string[]> {
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  for (;;) {
    const whole = text.slice(0, text.lastIndexOf('\n\n') + 1)
    const frames = whole.split('\n\n').filter((frame) => frame.startsWith('id: '))
    if (frames.length >= count) {
      await reader.cancel()
      return frames.map((frame) => JSON.parse(frame.slice(frame.indexOf('data: ') + 6)).text)
    }
    const { done, value } = await reader.read()
    if (done) throw new Error(`the stream ended after: ${text}`)
    text += value
  }
}
