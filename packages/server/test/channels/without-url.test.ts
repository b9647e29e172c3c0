import { PassThrough } from 'node:stream'
import { MessageChannel } from 'node:worker_threads'
import { type ChannelWorld, channelSuite } from '@holdpoint/conformance/channel'
import { messagePort } from '@holdpoint/core'
import type { PortLike } from '@holdpoint/core/transport'
import { localTransport } from '@holdpoint/server'
import { attachMessagePort } from '@holdpoint/server/message-port'
import { attachStdio } from '@holdpoint/server/stdio'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { answers, type RawPeer, rawMessage } from './support/frames-wiring.ts'
import { makeWorld, type Wired, type Wiring } from './support/world.ts'

/** The principal of such a channel is chosen when it is created. */
const principalOf = (user: string | null) => ({ userId: user ?? 'nobody' })

async function portWiring({ holdpoint, loggedIn }: Wired): Promise<Wiring> {
  const stops: (() => void)[] = []
  const open = (user: string | null) => {
    const { port1, port2 } = new MessageChannel()
    const options = { principal: principalOf(user), stillAllowed: () => loggedIn(user ?? '') }
    const detach = attachMessagePort(port1 as unknown as Parameters<typeof attachMessagePort>[0], holdpoint, options)
    stops.push(() => {
      detach()
      port1.close()
      port2.close()
    })
    return port2
  }
  return {
    transport: (user) => messagePort(open(user) as unknown as PortLike),
    async sendRaw(user, sessionId, message) {
      const port = open(user)
      const heard = answers()
      port.on('message', (text: string) => heard.take(text))
      const peer: RawPeer = { send: (frame) => port.postMessage(frame), answer: heard.next }
      return rawMessage(peer, sessionId, message)
    },
    async stop() {
      for (const stop of stops) stop()
    },
  }
}

channelSuite('MessagePort', { credentials: false, make: (tuning) => makeWorld(portWiring, tuning) })

/** A port for the client's driver at the other end of two pipes: one line, one message. */
function linesPort(input: PassThrough, output: PassThrough): PortLike {
  let rest = ''
  return {
    postMessage: (message) => void output.write(`${message}\n`),
    addEventListener(type, listener) {
      if (type !== 'message') return
      input.setEncoding('utf8').on('data', (chunk: string) => {
        const lines = (rest + chunk).split('\n')
        rest = lines.pop() ?? ''
        for (const data of lines) listener({ data })
      })
    },
  }
}

async function stdioWiring({ holdpoint, loggedIn }: Wired): Promise<Wiring> {
  const stops: (() => void)[] = []
  const open = (user: string | null) => {
    const [toServer, toPerson] = [new PassThrough(), new PassThrough()]
    const options = { principal: principalOf(user), stillAllowed: () => loggedIn(user ?? '') }
    stops.push(attachStdio({ input: toServer, output: toPerson }, holdpoint, options))
    return { toServer, toPerson }
  }
  return {
    transport(user) {
      const { toServer, toPerson } = open(user)
      return messagePort(linesPort(toPerson, toServer))
    },
    async sendRaw(user, sessionId, message) {
      const { toServer, toPerson } = open(user)
      const heard = answers()
      linesPort(toPerson, toServer).addEventListener('message', ({ data }) => heard.take(String(data)))
      const send = (frame: Uint8Array | string) => {
        toServer.write(frame)
        toServer.write('\n')
      }
      return rawMessage({ send, answer: heard.next }, sessionId, message)
    },
    async stall(user, sessionId) {
      const { toServer, toPerson } = open(user)
      toServer.write(`${JSON.stringify({ id: 'open', open: { session: sessionId, client: 'stalled' } })}\n`)
      return { close: () => toPerson.destroy() }
    },
    async stop() {
      for (const stop of stops) stop()
    },
  }
}

channelSuite('lines of JSON', { credentials: false, make: (tuning) => makeWorld(stdioWiring, tuning) })

async function localWiring({ holdpoint }: Wired): Promise<Wiring> {
  const transport = (user: string | null) => localTransport(holdpoint, principalOf(user))
  return {
    transport,
    async sendRaw(user, sessionId, message) {
      const raw = typeof message === 'string' ? new TextEncoder().encode(message) : message
      const { contextOf } = await import('@holdpoint/conformance/channel')
      const path = `/sessions/${encodeURIComponent(sessionId)}/messages`
      return transport(user).request(contextOf(sessionId), path, { method: 'POST', raw })
    },
    async stop() {},
  }
}

channelSuite('in the same process', { credentials: false, make: (tuning) => makeWorld(localWiring, tuning) })

describe('frames that open and close', () => {
  let world: ChannelWorld
  let port: ReturnType<typeof asPort>
  const frames: { [key: string]: unknown }[] = []
  const asPort = (made: MessageChannel) => made.port2
  beforeEach(async () => {
    frames.length = 0
    world = await makeWorld(async (wired) => {
      const channel = new MessageChannel()
      port = asPort(channel)
      port.on('message', (text: string) => void frames.push(JSON.parse(text)))
      const detach = attachMessagePort(
        channel.port1 as unknown as Parameters<typeof attachMessagePort>[0],
        wired.holdpoint,
        {
          principal: { userId: 'ada' },
        },
      )
      return {
        ...(await localWiring(wired)),
        async stop() {
          detach()
          port.close()
        },
      }
    })
    await world.emit('s1', 'ada', 't1')
  })
  afterEach(() => world.stop())
  const say = (frame: object) => port.postMessage(JSON.stringify(frame))
  const open = (id: string, session = 's1') => say({ id, open: { session, client: 'c' } })

  test('[HP-FRM-6] the server sends no frame before it has answered `open` with 200', async () => {
    open('a')
    await expect.poll(() => frames.length).toBe(2)
    expect(frames[0]).toMatchObject({ id: 'a', status: 200 })
    expect(frames[1]).toMatchObject({ event: { text: 't1' } })
    open('b', 'nobodys')
    await expect.poll(() => frames.at(-1)).toMatchObject({ id: 'b', status: 200 })
    await world.emit('s1', 'ada', 't2')
    await new Promise((resolve) => setTimeout(resolve, 30))
    expect(frames).toHaveLength(3)
  })

  test('[HP-FRM-8] a message before the first `open` is answered after that `open`, in the order of arrival', async () => {
    say({ id: 'm', message: { type: 'hello', clientId: 'tab-1' } })
    await new Promise((resolve) => setTimeout(resolve, 30))
    expect(frames).toEqual([])
    open('a')
    await expect.poll(() => frames.find(({ id }) => id === 'm')).toMatchObject({ id: 'm', status: 200 })
  })

  test('[HP-FRM-7] the server reports that it ended a stream, with the reason, and the channel stays open', async () => {
    open('a')
    await expect.poll(() => frames.length).toBe(2)
    world.revoke('ada')
    await expect.poll(() => frames.at(-1)).toEqual({ closed: 401 })
    open('b')
    await expect.poll(() => frames.some(({ id }) => id === 'b')).toBe(true)
  })

  test('a channel that closes and opens several streams at once keeps one stream, the last one', async () => {
    await world.emit('s2', 'ada', 'other')
    open('a')
    say({ close: true })
    open('b')
    open('c', 's2')
    await expect.poll(() => frames.filter(({ status }) => status === 200)).toHaveLength(3)
    await expect.poll(() => world.streams).toBe(1)
    await world.emit('s1', 'ada', 't2')
    await world.emit('s2', 'ada', 'more')
    await expect.poll(() => frames.at(-1)).toMatchObject({ event: { text: 'more' } })
    expect(JSON.stringify(frames)).not.toContain('t2')
    say({ close: true })
    await expect.poll(() => world.streams).toBe(0)
  })

  test('a request for a route is answered in a frame, and anything that is no frame is answered with 400', async () => {
    say({ id: 'r', request: { method: 'GET', path: '/sessions/s1' } })
    await expect.poll(() => frames.at(-1)).toMatchObject({ id: 'r', status: 200, body: { you: { userId: 'ada' } } })
    say({ id: 'x', nonsense: true })
    await expect.poll(() => frames.at(-1)).toMatchObject({ id: 'x', status: 400 })
    port.postMessage({ not: 'text' })
    await expect.poll(() => frames.at(-1)).toMatchObject({ id: '', status: 400 })
  })
})
