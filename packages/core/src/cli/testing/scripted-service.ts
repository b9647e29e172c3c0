/** An accounts service that follows a script and records its requests. */
export interface Asked {
  method: string
  path: string
  body: Record<string, unknown>
  bearer?: string
  at: number
}
export type Reply = object | [status: number, body: object, headers?: Record<string, string>] | 'unreachable'

export function scriptedService(now: () => number) {
  const asked: Asked[] = []
  const routes = new Map<string, (request: Asked) => Reply>()
  const fetch = async (input: string | URL | Request, init: RequestInit = {}): Promise<Response> => {
    init.signal?.throwIfAborted()
    const { pathname, search } = new URL(String(input))
    const bearer = new Headers(init.headers).get('authorization')?.replace('Bearer ', '')
    const request: Asked = {
      method: init.method ?? 'GET',
      path: pathname + search,
      body: init.body ? JSON.parse(String(init.body)) : {},
      ...(bearer ? { bearer } : {}),
      at: now(),
    }
    asked.push(request)
    const key = [...routes.keys()]
      .filter((route) => `${request.method} ${request.path}`.startsWith(route))
      .sort((a, b) => b.length - a.length)[0]
    const reply = key ? routes.get(key)!(request) : ([404, { error: 'NOT_FOUND', message: 'Nothing here.' }] as Reply)
    if (reply === 'unreachable') throw new TypeError('fetch failed')
    const [status, body, headers = {}] = Array.isArray(reply) ? reply : [200, reply]
    return new Response(JSON.stringify(body), { status, headers })
  }
  return {
    asked,
    fetch,
    /**
     * Configures the response of a route (the longest match wins): one response, or a sequence whose last element
     * repeats.
     */
    on(route: string, ...replies: (Reply | ((request: Asked) => Reply))[]) {
      let n = 0
      routes.set(route, (request) => {
        const reply = replies[Math.min(n++, replies.length - 1)]!
        return typeof reply === 'function' ? (reply as (request: Asked) => Reply)(request) : reply
      })
    },
    paths: () => asked.map(({ method, path }) => `${method} ${path}`),
  }
}
