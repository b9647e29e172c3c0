import { expect, test } from 'vitest'
import type { Connections } from '../pool/connections.ts'
import { chunkPayloads, createNotifier, readPayload } from './notify.ts'

test('every name arrives once, in payloads that PostgreSQL accepts', () => {
  const names = Array.from({ length: 2_000 }, (_, n) => `séance/{${'x'.repeat(n % 90)}}\n"${n}"`)
  const payloads = chunkPayloads('me', names)
  expect(payloads.length).toBeGreaterThan(5)
  expect(Math.max(...payloads.map((payload) => Buffer.byteLength(payload)))).toBeLessThan(7_900)
  expect(payloads.flatMap((payload) => readPayload(payload)?.names)).toEqual(names)
  expect(payloads.map((payload) => readPayload(payload)?.author)).toEqual(payloads.map(() => 'me'))
})

test('a name that is too long for a payload is left to polling', () => {
  const long = '\u0001'.repeat(2_000)
  expect(chunkPayloads('me', ['a', long, 'b'])).toEqual(['["me","a","b"]'])
  expect(chunkPayloads('me', [long])).toEqual([])
  expect(chunkPayloads('me', [])).toEqual([])
})

test.each([undefined, '', '{}', '[]', '[1]', '["me",2]', 'x'])(
  'the payload %j of another program is ignored',
  (payload) => {
    expect(readPayload(payload)).toBeUndefined()
  },
)

test('names that arrive during a statement are sent with the next one, once, and a failure is ignored', async () => {
  const sent: unknown[] = []
  let finish: ((how: 'done' | 'failed') => void)[] = []
  const connections = {
    write: (_text: string, [channel, payloads]: [string, string[]]) =>
      new Promise((resolve, reject) => {
        sent.push([channel, payloads])
        finish.push((how) => (how === 'done' ? resolve([]) : reject(new Error('away'))))
      }),
  } as unknown as Connections
  const turn = async (how: 'done' | 'failed') => {
    const [now] = finish
    finish = []
    now?.(how)
    await new Promise((resolve) => setTimeout(resolve, 0))
  }
  const notifier = createNotifier(connections, 'channel', 'me')
  notifier.add('a')
  notifier.add('a')
  notifier.add('b')
  await turn('done')
  expect(sent).toEqual([['channel', ['["me","a","b"]']]])
  notifier.add('c')
  await Promise.resolve()
  expect(sent).toHaveLength(1)
  let idle = false
  const ended = notifier.idle().then(() => {
    idle = true
  })
  await turn('failed')
  expect([sent.length, idle]).toEqual([2, false])
  expect(sent[1]).toEqual(['channel', ['["me","c"]']])
  await turn('done')
  await ended
  notifier.add('\u0001'.repeat(2_000))
  await notifier.idle()
  expect(sent).toHaveLength(2)
})
