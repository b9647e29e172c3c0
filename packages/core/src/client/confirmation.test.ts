import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { request } from '../../test/support/log.ts'
import { startClient } from '../../test/support/start-client.ts'
import { settle } from '../../test/support/virtual-environment.ts'
import { sse } from '../sse/sse.ts'
import type { Transport } from '../transport/types.ts'

/** A client whose log is scripted and whose messages reach a real HTTP server. */
async function behind(handle: RequestListener, fetching?: typeof fetch) {
  const http = createServer(handle)
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    http.closeAllConnections()
    http.close()
  })
  const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`
  const it = startClient({}, (server) => {
    const { send, request } = sse({ url, fetch: fetching ?? fetch })
    server.append(request0)
    Object.assign(server.transport, { send, request } satisfies Partial<Transport>)
  })
  it.client.subscribe(() => {})
  await settle()
  /** Waits for real requests while the virtual clock advances. */
  const finished = async <T>(promise: Promise<T>): Promise<T> => {
    let done = false
    const ended = promise.finally(() => (done = true))
    ended.catch(() => {})
    while (!done) {
      await new Promise((resolve) => setTimeout(resolve, 5))
      await it.world.advance(100)
    }
    return ended
  }
  return { ...it, finished, one: () => it.client.getSnapshot().interactions.get('i1')! }
}
const request0 = request('i1')

const answers = (type: string, body: string): RequestListener => {
  return (_request, response) => void response.writeHead(200, { 'content-type': type }).end(body)
}
const lies: [what: string, RequestListener][] = [
  ['a login page', answers('text/html', '<h1>Log in</h1>')],
  ['the right body under another content type', answers('text/plain', '{"status":"accepted"}')],
  ['an empty object', answers('application/json', '{}')],
  ['null', answers('application/json', 'null')],
  ['a list', answers('application/json', '[]')],
  ['truncated JSON', answers('application/json', '{"status":"acc')],
  ['another status', answers('application/json', '{"status":"queued"}')],
]

describe.each(lies)('a response of status 200 with %s', (_what, handle) => {
  test('HP-CLI-8 leaves the answer unsent, with its draft kept for the next attempt [T31.1]', async () => {
    const it = await behind(handle)
    const result = await it.finished(it.client.respond('i1', { action: 'deny' }))
    expect(result).toMatchObject({ status: 'not_sent', problem: { code: 'protocol' } })
    expect(it.one()).toMatchObject({ status: 'not_sent', draft: { answer: { action: 'deny' } } })
  })

  test('HP-CLI-8 cancels no run, extends no question and keeps the user actions [T31.2]', async () => {
    const it = await behind(handle)
    await expect(it.finished(it.client.cancelRun('run-1'))).rejects.toMatchObject({ code: 'protocol' })
    expect(await it.finished(it.client.extend('i1'))).toEqual({ status: 'failed' })
    const acted = it.client.sendUserActions([{ type: 'global_event', event: 'opened' }])
    await expect(it.finished(acted)).rejects.toMatchObject({ code: 'protocol' })
    expect(it.client.takeActions()).toMatchObject([{ event: 'opened' }])
  })
})

const login: RequestListener = ({ url, method }, response) => {
  if (url !== '/login') return void response.writeHead(302, { location: '/login' }).end()
  // A page whose body even has the format of Holdpoint.
  answers('application/json', method === 'GET' ? '{"status":"accepted"}' : '{}')({} as never, response as never)
}

describe('HP-CLI-9 a redirect to a login page', () => {
  test.each<[string, typeof fetch | undefined]>([
    ['is not followed', undefined],
    ['that the given fetch followed', (input, init) => fetch(input, { ...init, redirect: 'follow' })],
  ])('%s does not count as a response of the server [T31.3]', async (_how, fetching) => {
    const it = await behind(login, fetching)
    const result = await it.finished(it.client.respond('i1', { action: 'approve' }))
    expect(result).toMatchObject({ status: 'not_sent', problem: { code: 'redirected' } })
    await expect(it.finished(it.client.cancelRun('run-1'))).rejects.toMatchObject({ code: 'redirected' })
  })

  test('ends a stream as unauthorized [T31.4]', async () => {
    const http = createServer(login)
    await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => {
      http.closeAllConnections()
      http.close()
    })
    const it = startClient()
    const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`
    const failure = await new Promise((down) => {
      const unexpected = () => down('not down')
      const context = { sessionId: 's', clientId: 'c', env: { ...it.world.env, fetch } }
      sse({ url }).connect(context, null, {
        open: unexpected,
        events: unexpected,
        reset: unexpected,
        alive: unexpected,
        malformed: unexpected,
        down,
      })
    })
    expect(failure).toEqual({ code: 'unauthorized', message: expect.stringContaining('login page') })
  })
})
