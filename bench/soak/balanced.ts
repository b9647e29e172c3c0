/** The proxy in front of the nodes: a request to an unreachable node goes to the next one. */
export class Balancer {
  private urls: readonly string[] = []
  private at: number

  constructor(urls: readonly string[], first: number) {
    this.urls = urls
    this.at = first
  }

  private get base(): string {
    return this.urls[this.at % this.urls.length] ?? ''
  }

  private turn(from: string): void {
    if (from === this.base) this.at++
  }

  /** `slow` reads what comes in small sips, so that the server has to wait for it. */
  fetch(slow: boolean): typeof globalThis.fetch {
    return async (input, init) => {
      const { base } = this
      const { pathname, search } = new URL(String(input))
      try {
        const response = await fetch(`${base}${pathname}${search}`, init)
        if (!slow || !response.body) return response
        return new Response(response.body.pipeThrough(sips()), response)
      } catch (error) {
        this.turn(base)
        throw error
      }
    }
  }

  /** A WebSocket class whose connections go to the node whose turn it is. */
  webSocket() {
    const place = (url: string) => url.replace(/^ws:\/\/[^/]+/, this.base.replace('http', 'ws'))
    const turn = (from: string) => this.turn(from)
    const base = () => this.base
    return class extends WebSocket {
      constructor(url: string, protocols: string[]) {
        const from = base()
        super(place(url), protocols)
        let opened = false
        this.addEventListener('open', () => {
          opened = true
        })
        this.addEventListener('close', () => opened || turn(from))
      }
    }
  }
}

const SIP_MS = 100

function sips(): TransformStream<Uint8Array, Uint8Array> {
  return new TransformStream(
    {
      async transform(chunk, controller) {
        await new Promise((resolve) => setTimeout(resolve, SIP_MS))
        controller.enqueue(chunk)
      },
    },
    { highWaterMark: 1 },
    { highWaterMark: 0 },
  )
}
