import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { context, listen, settle } from '@holdpoint/conformance/transport'
import { afterEach, describe, expect, test } from 'vitest'
import { type WebSocket as Socket, WebSocketServer } from 'ws'
import { sse } from '../sse/sse.ts'
import { retryAfter } from './http.ts'
import { longPoll } from './long-poll.ts'
import { messagePort } from './message-port.ts'
import type { Transport } from './types.ts'
import { websocket } from './websocket.ts'

/** Behavior of single drivers, beyond the suite that all of them run. */
const stops: (() => void)[] = []
afterEach(() => {
  for (const stop of stops.splice(0)) stop()
})

async function serve(listener: RequestListener) {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  stops.push(() => {
    server.closeAllConnections()
    server.close()
  })
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}
/** The recorder wants a peer; these tests have only its transport. */
const hear = (transport: Transport) =>
  listen({ transport, connections: [], calls: [], play() {}, answer() {}, stop: async () => {} })

describe('a response that is not of a Holdpoint server', () => {
  const page: RequestListener = (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html>')
  }

  test.each([
    ['sse', sse],
    ['long poll', longPoll],
  ] as const)('through %s is reported, and the error asks where the server is mounted', async (_name, make) => {
    const { url } = await serve(page)
    const heard = hear(make({ url }))
    await heard.heard('down protocol')
    expect(heard.log).toEqual(['down protocol'])
    expect(heard.failure?.message).toMatch(/mounted/)
  })

  test('has its status returned if it is an HTML error page', async () => {
    const { url } = await serve((_request, response) => void response.writeHead(502).end('<html>Bad gateway'))
    expect(await sse({ url }).snapshot(context)).toEqual({ status: 502, body: undefined })
  })
})

test('sse: is skipped as garbage between frames and reported, and later events arrive', async () => {
  const frame = (id: number, data: string) => `id: e1.${id}.t\ndata: ${data}\n\n`
  const garbage = ['{"cursor":', '['.repeat(80) + ']'.repeat(80), '{"__proto__":{"event":1}}', 'x'.repeat(1_100_000)]
  const { url } = await serve((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.end([...garbage, '{"type":"note","text":"after"}'].map((data, i) => frame(i + 1, data)).join(''))
  })
  const heard = hear(sse({ url }))
  await heard.heard('after')
  expect(heard.log.filter((line) => line !== 'down ended')).toEqual([
    'open',
    'malformed invalid_json',
    'malformed malformed_event',
    'malformed malformed_event',
    'malformed too_large',
    'after',
  ])
})

describe('requests of a driver', () => {
  test('with headers that cannot be computed count as a network failure and are not sent', async () => {
    let asked = 0
    const { url } = await serve(() => void asked++)
    const headers = () => Promise.reject(new Error('token endpoint is down'))
    for (const transport of [sse({ url, headers }), longPoll({ url, headers }), websocket({ url, headers })]) {
      const heard = hear(transport)
      await heard.heard('down network')
      expect(heard.failure?.message).toMatch(/token endpoint/)
      await expect(transport.snapshot(context)).rejects.toThrow('token endpoint')
    }
    expect(asked).toBe(0)
  })

  test('upload a file as its bytes', async () => {
    const got: { type: string | undefined; bytes: number[] }[] = []
    const { url } = await serve(async (request, response) => {
      const bytes: number[] = []
      for await (const chunk of request) bytes.push(...chunk)
      got.push({ type: request.headers['content-type'], bytes })
      response.end('{}')
    })
    const contentType = 'application/octet-stream'
    const { request } = sse({ url })
    await request(context, '/sessions/s/uploads', { method: 'POST', raw: Uint8Array.from([0, 255, 7]), contentType })
    await request(context, '/sessions/s/uploads', {
      method: 'POST',
      raw: new Blob([Uint8Array.from([1])]),
      contentType,
    })
    expect(got).toEqual([
      { type: contentType, bytes: [0, 255, 7] },
      { type: contentType, bytes: [1] },
    ])
  })

  test.each([
    ['3', 3000],
    ['0', 0],
    ['Thu, 01 Jan 1970 00:00:11 GMT', 1000],
    ['Thu, 01 Jan 1970 00:00:01 GMT', 0],
    ['soon', undefined],
    ['-5', undefined],
    [null, undefined],
  ])('read Retry-After: %s', (header, ms) => expect(retryAfter(header, 10_000)).toBe(ms))
})

describe('the long poll', () => {
  test('requests at once, then waits, each time after its last event', async () => {
    const asked: string[] = []
    const { url } = await serve((request, response) => {
      const query = new URL(request.url ?? '', 'http://x').searchParams
      asked.push(`${query.get('cursor')} ${query.get('wait')}`)
      if (asked.length > 3) return
      const seq = asked.length
      const events = seq === 2 ? [] : [{ type: 'note', text: `n${seq}` }]
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify({ cursor: `e.${seq === 2 ? 1 : seq}.t`, events }))
    })
    const heard = hear(longPoll({ url, waitSeconds: 9 }))
    await heard.heard('n3')
    await expect.poll(() => asked.length).toBe(4)
    expect(asked).toEqual(['null 0', 'e.1.t 9', 'e.1.t 9', 'e.3.t 9'])
    expect(heard.log).toEqual(['open', 'n1', 'alive', 'n3'])
    heard.close()
  })
})

describe('the WebSocket', () => {
  async function upgraded(act: (socket: Socket) => void) {
    const { server, url } = await serve((_request, response) => void response.writeHead(500).end())
    const sockets = new WebSocketServer({ server, path: '/holdpoint/ws' })
    sockets.on('connection', act)
    return websocket({ url: `${url}/holdpoint` })
  }

  test.each([
    [4401, 'unauthorized'],
    [4403, 'forbidden'],
    [4404, 'not_found'],
    [4429, 'rate_limited'],
    [4500, 'server'],
    [1000, 'ended'],
    [1011, 'ended'],
  ])('close code %d means %s', async (code, failure) => {
    const heard = hear(await upgraded((socket) => socket.close(code)))
    await heard.heard('down')
    expect(heard.failure?.code).toBe(failure)
  })

  test('sends messages over HTTP after its connection is lost', async () => {
    const transport = await upgraded((socket) => socket.close(1001))
    await hear(transport).heard('down')
    const message = { type: 'cancel_run', clientId: 'tab-1', runId: 'r' } as const
    expect(await transport.send(context, message)).toMatchObject({ status: 500 })
  })

  test('HP-FRM-1 skips a binary frame without effect on others', async () => {
    const transport = await upgraded((socket) => {
      socket.send(Uint8Array.from([1, 2]))
      socket.send('{"cursor":"e.1.t","event":{"type":"note","text":"on"}}')
    })
    const heard = hear(transport)
    await heard.heard('on')
    expect(heard.log).toEqual(['open', 'malformed malformed_frame', 'on'])
  })

  test('takes a response to an unknown id only as activity', async () => {
    const heard = hear(await upgraded((socket) => socket.send('{"id":"ghost","status":200,"body":{}}')))
    await heard.heard('alive')
    expect(heard.log).toEqual(['open', 'alive'])
  })
})

describe('the message port', () => {
  function channel() {
    const { port1, port2 } = new MessageChannel()
    stops.push(() => port1.close())
    return { transport: messagePort(port1), host: port2 }
  }
  const opening = (host: MessagePort) =>
    new Promise<{ id: string }>((resolve) => {
      host.onmessage = ({ data }) => resolve(JSON.parse(data))
    })

  test.each([
    [200, 'ended'],
    [401, 'unauthorized'],
    [503, 'server'],
  ])('whose stream was closed with %d ends it as %s', async (closed, failure) => {
    const { transport, host } = channel()
    const heard = hear(transport)
    const { id } = await opening(host)
    host.postMessage(JSON.stringify({ id, status: 200, body: {} }))
    host.postMessage(JSON.stringify({ closed }))
    await heard.heard('down')
    expect(heard.failure?.code).toBe(failure)
  })

  test('ends the stream and rejects pending calls if its other end is closed', async () => {
    const { transport, host } = channel()
    const heard = hear(transport)
    const { id } = await opening(host)
    host.postMessage(JSON.stringify({ id, status: 200, body: {} }))
    await heard.heard('open')
    const sending = transport.send(context, { type: 'cancel_run', clientId: 'tab-1', runId: 'r' })
    host.close()
    await expect(sending).rejects.toThrow('closed')
    await heard.heard('down ended')
  })

  test('rejects objects instead of text with a code, and files with the remedy', async () => {
    const { transport, host } = channel()
    const heard = hear(transport)
    await opening(host)
    host.postMessage({ cursor: 'e.1.t', event: { type: 'note' } })
    await heard.heard('malformed malformed_frame')
    const upload = transport.request(context, '/x', { method: 'POST', raw: new Uint8Array(1) })
    await expect(upload).rejects.toMatchObject({ code: 'upload_not_supported' })
    await settle()
    expect(heard.placed).toEqual([])
  })
})
