/** The connection between the page and the mock server, which a test can cut. */
export interface MockNetwork {
  readonly isOnline: boolean
  /** Pass false to end open streams and to fail all requests, as in a browser without a network. */
  setOnline(online: boolean): void
  /** Runs a request over this connection. */
  carry(signal: AbortSignal, respond: () => Promise<Response>): Promise<Response>
}

export function mockNetwork(): MockNetwork {
  let isOnline = true
  const open = new Set<AbortController>()
  const failed = () => new TypeError('Failed to fetch: the mock server is offline.')

  return {
    get isOnline() {
      return isOnline
    },
    setOnline(online) {
      isOnline = online
      if (online) return
      for (const cut of [...open]) cut.abort(failed())
      open.clear()
    },
    async carry(signal, respond) {
      if (!isOnline) throw failed()
      signal.throwIfAborted()
      const response = await respond()
      if (!isOnline) throw failed()
      if (!response.body) return response
      const cut = new AbortController()
      open.add(cut)
      const whenAborted = () => cut.abort(signal.reason)
      signal.addEventListener('abort', whenAborted, { once: true })
      const passed = new TransformStream<Uint8Array, Uint8Array>({
        flush() {
          open.delete(cut)
          signal.removeEventListener('abort', whenAborted)
        },
      })
      response.body.pipeTo(passed.writable, { signal: cut.signal }).catch(() => open.delete(cut))
      return new Response(passed.readable, { status: response.status, headers: response.headers })
    },
  }
}
