import type { AddressInfo } from 'node:net'
import { channelSuite } from '@holdpoint/conformance/channel'
import { describeWith, has } from '@holdpoint/conformance/services'
import { sse } from '@holdpoint/core'
import { toNodeHandler } from '@holdpoint/server/node'
import { expect, test } from 'vitest'
import { listen, type Running } from '../http/support/servers.ts'
import { httpWiring } from './support/http-wiring.ts'
import { startNginx } from './support/nginx.ts'
import { makeWorld, type Wired } from './support/world.ts'

const portOf = (running: Running) => (running.server.address() as AddressInfo).port

describeWith('behind nginx with its default buffering', has('nginx'), (program) => {
  const behind = async (holdpoint: Wired['holdpoint']): Promise<Running> => {
    const running = await listen(toNodeHandler(holdpoint))
    const proxy = await startNginx(program, portOf(running))
    return {
      ...running,
      url: `http://127.0.0.1:${proxy.port}/holdpoint`,
      async stop() {
        await proxy.stop()
        await running.stop()
      },
    }
  }

  channelSuite('SSE through nginx', {
    credentials: true,
    make: (tuning) => makeWorld((wired) => httpWiring(wired, behind, sse), tuning),
  })

  test('nginx buffers: without the header of Holdpoint a small event is not forwarded [R8.1]', async () => {
    const received = async (headers: Record<string, string>) => {
      const running = await listen((_request, response) => {
        response.useChunkedEncodingByDefault = false
        response.writeHead(200, { 'content-type': 'text/event-stream', ...headers }).write('data: 1\n\n')
      })
      const proxy = await startNginx(program, portOf(running))
      const abort = new AbortController()
      const first = fetch(`http://127.0.0.1:${proxy.port}/`, { signal: abort.signal })
        .then((response) => response.body?.getReader().read())
        .then((read) => read !== undefined)
        .catch(() => false)
      const came = await Promise.race([first, new Promise((resolve) => setTimeout(() => resolve(false), 500))])
      abort.abort()
      await proxy.stop()
      await running.stop()
      return came
    }
    expect(await received({})).toBe(false)
    expect(await received({ 'x-accel-buffering': 'no' })).toBe(true)
  })
})
