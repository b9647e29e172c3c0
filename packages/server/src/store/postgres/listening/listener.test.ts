import { EventEmitter } from 'node:events'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { Connections } from '../pool/connections.ts'
import { createListener } from './listener.ts'

/** Connections that a test observes: `echo` defines whether a notification arrives, as with a real server. */
function world() {
  vi.useFakeTimers()
  const opened: FakeClient[] = []
  const sent: string[] = []
  const heard: string[][] = []
  const states: boolean[] = []
  const how = { echo: true, acquire: true, write: true, listen: undefined as unknown, answer: Promise.resolve() }

  class FakeClient extends EventEmitter {
    readonly statements: string[] = []
    released: unknown[] | undefined
    async query({ text }: { text: string }) {
      this.statements.push(text)
      await how.answer
      if (how.listen !== undefined && text.startsWith('LISTEN')) throw how.listen
      return { rows: [] }
    }
    release(...how: unknown[]) {
      this.released = how
    }
    tell(payload: string | undefined, channel = 'channel') {
      this.emit('notification', { channel, payload })
    }
  }
  const connections = {
    async acquire() {
      if (!how.acquire) throw new Error('no connection')
      const client = new FakeClient()
      opened.push(client)
      return client
    },
    async write(_text: string, [channel, payload]: [string, string]) {
      sent.push(payload)
      if (!how.write) throw new Error('cannot be sent')
      if (how.echo) opened.at(-1)?.tell(payload, channel)
      return []
    },
  } as unknown as Connections
  const listener = createListener(connections, {
    channel: 'channel',
    author: 'me',
    probeMs: 1_000,
    onPartitions: (partitions) => void heard.push([...partitions]),
    onState: (listening) => void states.push(listening),
  })
  onTestFinished(() => {
    listener.close(true)
    vi.useRealTimers()
  })
  const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms)
  return { opened, sent, heard, states, how, listener, pass }
}

test("the listener listens once a probe returned, and receives other processes' commits on its own channel", async () => {
  const { opened, sent, heard, states, pass } = world()
  await pass(0)
  expect(opened[0]?.statements).toEqual(['LISTEN "channel"'])
  expect([sent, states]).toEqual([['["me probe","1"]'], [true]])
  opened[0]?.tell('["other","a","b"]')
  opened[0]?.tell('["me","mine"]')
  opened[0]?.tell('["other","c"]', 'another channel')
  opened[0]?.tell('not ours')
  opened[0]?.tell(undefined)
  expect(heard).toEqual([['a', 'b']])
  await pass(3_000)
  expect(sent).toHaveLength(4)
  expect([states, opened.length]).toEqual([[true], 1])
})

test('a probe that does not arrive ends the connection, and another one is opened', async () => {
  const { opened, heard, states, how, pass } = world()
  await pass(0)
  how.echo = false
  await pass(2_000)
  expect(states).toEqual([true, false])
  expect(opened[0]?.released).toEqual([expect.objectContaining({ message: 'a probe did not arrive' })])
  how.echo = true
  await pass(250)
  expect([opened.length, states]).toEqual([2, [true, false, true]])
  // Notifications of the old one are ignored.
  opened[0]?.tell('["other","late"]')
  opened[0]?.emit('error', new Error('late'))
  expect(heard).toEqual([])
  await pass(3_000)
  expect([opened.length, opened[1]?.released, states]).toEqual([2, undefined, [true, false, true]])
})

test('an earlier probe that arrives late does not confirm a later one', async () => {
  const { opened, states, how, pass } = world()
  how.echo = false
  await pass(0)
  opened[0]?.tell('["me probe","0"]')
  expect(states).toEqual([])
  opened[0]?.tell('["me probe","1"]')
  opened[0]?.tell('["me probe","0"]')
  expect(states).toEqual([true])
  await pass(1_000)
  expect(opened[0]?.released).toBeUndefined()
})

test('a probe that could not be sent does not affect the listening connection', async () => {
  const { opened, sent, states, how, pass } = world()
  await pass(0)
  how.write = false
  await pass(3_000)
  expect(sent.length).toBeGreaterThan(2)
  expect([states, opened.length, opened[0]?.released]).toEqual([[true], 1, undefined])
})

test('a connection that ends is given up once, and tried again with growing pauses', async () => {
  const { opened, states, how, pass } = world()
  await pass(0)
  how.acquire = false
  opened[0]?.emit('error', new Error('gone'))
  opened[0]?.emit('error', new Error('lost again'))
  expect([states, opened[0]?.released]).toEqual([[true, false], [expect.objectContaining({ message: 'gone' })]])
  await pass(250 + 500 + 999)
  how.acquire = true
  expect(opened).toHaveLength(1)
  await pass(1)
  expect([opened.length, states]).toEqual([2, [true, false, true]])
  // It works again: the next pause is a short one.
  opened[1]?.emit('error', new Error('gone'))
  await pass(250)
  expect(opened).toHaveLength(3)
})

test.each([new Error('refused'), 'refused'])('LISTEN fails with %o: the connection is destroyed', async (thrown) => {
  const { opened, states, how, pass } = world()
  how.listen = thrown
  await pass(0)
  expect(opened[0]?.released).toEqual([expect.any(Error)])
  expect(opened[0]?.released).toEqual([expect.objectContaining({ message: 'refused' })])
  expect(states).toEqual([])
  how.listen = undefined
  await pass(250)
  expect(states).toEqual([true])
})

test('the pauses between attempts grow to ten seconds at most', async () => {
  const { opened, how, pass } = world()
  await pass(0)
  how.acquire = false
  opened[0]?.emit('error', new Error('gone'))
  await pass(65_000)
  how.acquire = true
  await pass(10_000)
  expect(opened).toHaveLength(2)
})

test('a permanent close destroys the connection, and any other close returns it without LISTEN', async () => {
  const [ended, idle] = [world(), world()]
  await ended.pass(0)
  ended.listener.close(true)
  idle.listener.close(false)
  await idle.pass(0)
  expect([ended.opened[0]?.released, idle.opened[0]?.released]).toEqual([[true], [false]])
  expect(idle.opened[0]?.statements).toEqual(['LISTEN "channel"', 'UNLISTEN *'])
  expect(['error', 'notification'].map((name) => idle.opened[0]?.listenerCount(name))).toEqual([0, 0])
})

test('a closed listener opens no connection and sends no probe', async () => {
  const { opened, sent, how, listener, pass } = world()
  await pass(0)
  listener.close(false)
  await pass(60_000)
  expect([opened.length, sent.length, opened[0]?.released?.length]).toEqual([1, 1, expect.any(Number)])
  how.acquire = false
})

test('a close before the connection exists returns a late connection', async () => {
  const { opened, sent, listener, pass } = world()
  listener.close(false)
  await pass(60_000)
  expect([opened.length, opened[0]?.released, opened[0]?.statements, sent]).toEqual([1, [], [], []])
})

test.each([true, false])(
  'after a close (permanent: %o) notifications of the connection are ignored',
  async (forGood) => {
    const { opened, heard, states, how, listener, pass } = world()
    await pass(0)
    how.answer = new Promise(() => {})
    listener.close(forGood)
    opened[0]?.tell('["other","late"]')
    expect([heard, states]).toEqual([[], [true]])
  },
)

test('a listener that is closed during LISTEN sends no probe afterwards', async () => {
  const { opened, sent, how, listener, pass } = world()
  how.answer = new Promise((answered) => setTimeout(answered, 100))
  await pass(0)
  listener.close(false)
  await pass(60_000)
  expect([opened.length, opened[0]?.statements, sent]).toEqual([1, ['LISTEN "channel"', 'UNLISTEN *'], []])
})

test('a listener that is closed during LISTEN opens no connection if LISTEN fails', async () => {
  const { opened, how, listener, pass } = world()
  how.answer = new Promise((_, refused) => setTimeout(() => refused(new Error('refused')), 100))
  await pass(0)
  listener.close(false)
  await pass(60_000)
  expect([opened.length, opened[0]?.released]).toEqual([1, [true]])
})

test('the timers of a listener do not keep the process alive', async () => {
  const { opened, how, pass } = world()
  const timers = vi.spyOn(globalThis, 'setTimeout')
  await pass(0)
  how.acquire = false
  opened[0]?.emit('error', new Error('gone'))
  await pass(250)
  const kept = timers.mock.results.map(({ value }) => value.hasRef())
  timers.mockRestore()
  expect(kept).toEqual([false, false, false])
})
