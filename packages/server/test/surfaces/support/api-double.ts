import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { SurfaceWorld } from '@holdpoint/conformance/surface'

export interface ApiReply {
  status: number
  body?: object
  headers?: Record<string, string>
}

interface Api {
  /** Whether the method sends or changes a message: it counts as a call, and fails while the provider is down. */
  isSending(method: string): boolean
  answer(method: string, body: string): ApiReply
  down: ApiReply
  limited(seconds: number): ApiReply
}

/** A double of a chat platform's HTTP API, which can be down, and can limit the rate of one call. */
export async function apiDouble({ isSending, answer, down, limited }: Api) {
  let calls = 0
  let isDown = false
  let limit = 0
  const respond = (method: string, body: string): ApiReply => {
    if (!isSending(method)) return answer(method, body)
    calls++
    if (isDown) return down
    const seconds = limit
    limit = 0
    return seconds > 0 ? limited(seconds) : answer(method, body)
  }
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const method = request.url?.split('/').at(-1) ?? ''
      const { status, body, headers } = respond(method, Buffer.concat(chunks).toString())
      response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body && JSON.stringify(body))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const provider: SurfaceWorld['provider'] = {
    down() {
      isDown = true
    },
    up() {
      isDown = false
    },
    limitOnce(seconds) {
      limit = seconds
    },
    calls: () => calls,
  }
  return {
    url: `http://127.0.0.1:${port}`,
    provider,
    async stop() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
