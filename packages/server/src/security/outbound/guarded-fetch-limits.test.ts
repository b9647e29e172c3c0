import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { type AddressInfo, createServer as createSocketServer, setDefaultAutoSelectFamily } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createGuardedFetch, type GuardedFetchOptions } from './guarded-fetch.ts'

/** A server, and a fetch that may call it. */
async function served(handle: RequestListener, options: GuardedFetchOptions = {}) {
  const server = createServer(handle)
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  return {
    fetch: createGuardedFetch({ allowLoopback: true, ...options }),
    at: `http://127.0.0.1:${port}/`,
    port,
    server,
  }
}

describe('a response that is rejected', () => {
  const endless = (status: number): RequestListener => {
    return (_request, response) => void response.writeHead(status, { location: '/' }).write('x'.repeat(2_000))
  }
  test.each([
    ['a redirect', 302, 'url_not_allowed'],
    ['an oversize response', 200, 'response_too_large'],
  ])('%s: the connection is closed at once, although the response never ends', async (_, status, code) => {
    const { fetch, at, server } = await served(endless(status), { maxBytes: 1_000, timeoutMs: 600_000 })
    const closed = once(server, 'connection').then(([socket]) => once(socket, 'close'))
    await expect(fetch(at)).rejects.toMatchObject({ code })
    await closed
  })

  test.each([
    [299, 299],
    [300, 'url_not_allowed'],
    [399, 'url_not_allowed'],
    [400, 400],
    [500, 500],
  ])('status %i yields %s', async (status, expected) => {
    const { fetch, at } = await served((_request, response) => response.writeHead(status).end('x'))
    const got = await fetch(at).then(
      (answer) => answer.status,
      (error) => error.code,
    )
    expect(got).toBe(expected)
  })

  test('a response is read up to the limit of bytes', async () => {
    const { fetch, at } = await served((request, response) => response.end('x'.repeat(Number(request.url?.slice(1)))), {
      maxBytes: 1_000,
    })
    expect((await (await fetch(`${at}1000`)).text()).length).toBe(1_000)
    await expect(fetch(`${at}1001`)).rejects.toMatchObject({ code: 'response_too_large' })
  })
})

describe('failures', () => {
  test('an aborted call is unreachable, and a late one times out', async () => {
    const { fetch, at } = await served(() => {})
    const giveUp = new AbortController()
    const waiting = fetch(at, { signal: giveUp.signal })
    giveUp.abort()
    await expect(waiting).rejects.toMatchObject({ code: 'unreachable', message: 'The address cannot be reached.' })
    const late = await served(() => {}, { timeoutMs: 50 })
    const patient = { signal: new AbortController().signal }
    for (const request of [{}, patient]) {
      await expect(late.fetch(late.at, request)).rejects.toMatchObject({
        code: 'unreachable',
        message: 'The address did not answer in time.',
      })
    }
  })

  test('a name that cannot be resolved is an error without the reason', async () => {
    const fetch = createGuardedFetch({ lookup: () => Promise.reject(new Error('ENOTFOUND metadata.example')) })
    const error = await fetch('https://metadata.example/').catch((reason: Error) => reason)
    expect(error).toMatchObject({ code: 'unreachable', message: 'The address cannot be reached.' })
    expect(error).not.toHaveProperty('cause')
  })
})

describe('requests and responses', () => {
  test.each([
    ['nothing', undefined, undefined],
    ['an empty response is empty', '', '0'],
    ['text, in bytes', 'ü', '2'],
    ['bytes', Uint8Array.of(1, 2, 3), '3'],
  ])('the body of a request: %s', async (_, body, length) => {
    const seen: (string | undefined)[] = []
    const { fetch, at } = await served((request, response) => {
      seen.push(request.method, request.headers['content-length'])
      request.resume().once('end', () => response.end())
    })
    await fetch(at, { method: 'PUT', body })
    // Node names the length of an empty request of its own accord.
    expect(seen).toEqual(['PUT', length ?? '0'])
    await fetch(at)
    expect(seen.slice(2)).toEqual(['GET', undefined])
  })

  test('a header that occurs twice in a response is kept twice', async () => {
    const { fetch, at } = await served((_request, response) =>
      response.writeHead(200, { 'set-cookie': ['a=1', 'b=2'], 'x-one': 'yes' }).end(),
    )
    const { headers } = await fetch(at)
    expect([headers.getSetCookie(), headers.get('x-one')]).toEqual([['a=1', 'b=2'], 'yes'])
  })

  test('an https address is requested over TLS, and nothing is sent unencrypted', async () => {
    const first = new Promise<number>((done) => {
      const server = createSocketServer((socket) =>
        socket.once('data', (bytes) => {
          done(bytes[0] ?? -1)
          socket.destroy()
        }),
      )
      onTestFinished(() => void server.close())
      server.listen(0, '127.0.0.1', async () => {
        const { port } = server.address() as AddressInfo
        const fetch = createGuardedFetch({ allowLoopback: true })
        await expect(fetch(`https://127.0.0.1:${port}/`)).rejects.toMatchObject({ code: 'unreachable' })
      })
    })
    // A TLS handshake begins with 22.
    expect(await first).toBe(22)
  })
})

test('threat 27: the checked address is used also if Node asks for a single address', async () => {
  setDefaultAutoSelectFamily(false)
  onTestFinished(() => setDefaultAutoSelectFamily(true))
  const { port } = await served((_request, response) => response.end('hello'))
  let address = '127.0.0.1'
  const fetch = createGuardedFetch({ allowLoopback: true, lookup: async () => [{ address, family: 4 }] })
  expect(await (await fetch(`http://localhost:${port}/`)).text()).toBe('hello')
  address = '169.254.169.254'
  await expect(fetch(`http://localhost:${port}/`)).rejects.toMatchObject({ code: 'url_not_allowed' })
})
