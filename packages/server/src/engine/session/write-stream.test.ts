import { expect, test } from 'vitest'
import type { TurnWriter } from './turn-writer.ts'
import { type StreamPart, streamInto } from './write-stream.ts'

/** Models and stores take their time. */
const turnOfTheLoop = () => new Promise<void>(setImmediate)
type Part = StreamPart & Record<string, unknown>

/** A turn that writes into a list, and ends as the test configures. */
function turn() {
  const controller = new AbortController()
  const written: unknown[] = []
  const ends: unknown[] = []
  let failsAt = Number.POSITIVE_INFINITY
  let returned = 0
  const writer = {
    signal: controller.signal,
    async write(said: unknown) {
      if (written.length >= failsAt) throw new RangeError('no room')
      written.push(said)
    },
  } as unknown as TurnWriter
  let endFails = false
  const end = async (how: 'paused' | 'done' | 'error', reason?: string) => {
    await turnOfTheLoop()
    if (endFails) throw new Error('the end could not be written')
    ends.push(reason === undefined ? how : [how, reason])
    return how
  }
  /** These parts, and then the end, an error, or nothing. */
  const stream = (parts: Part[], then: 'end' | 'hang' | Error = 'end'): AsyncIterable<Part> => ({
    [Symbol.asyncIterator]() {
      const left = [...parts]
      return {
        async next() {
          await turnOfTheLoop()
          const value = left.shift()
          if (value) return { value, done: false }
          if (then === 'end') return { value: undefined, done: true }
          if (then === 'hang') return await new Promise(() => {})
          throw then
        },
        return() {
          returned++
          return Promise.reject(new Error('the stream did not want to end'))
        },
      }
    },
  })
  return {
    controller,
    written,
    ends,
    into: (parts: Part[], then?: 'end' | 'hang' | Error) => streamInto(writer, end, stream(parts, then)),
    failAt: (count: number) => {
      failsAt = count
    },
    failAtTheEnd: () => {
      endFails = true
    },
    returned: () => returned,
  }
}
const call = { toolCallId: 'c', toolName: 't' }

test.each<[string, Part[], unknown[]]>([
  ['a text part is written as content', [{ type: 'text-delta', text: 'a' }], [{ type: 'content', text: 'a' }]],
  [
    'a text part of an older SDK is written as content',
    [{ type: 'text-delta', delta: 'a' }],
    [{ type: 'content', text: 'a' }],
  ],
  ['a text part without text is written as empty content', [{ type: 'text-delta' }], [{ type: 'content', text: '' }]],
  [
    'a call is written when it is named, and again with its input',
    [
      { type: 'tool-input-start', id: 'c', toolName: 't' },
      { type: 'tool-call', ...call, input: { a: 1 } },
    ],
    [
      { type: 'tool_call_start', ...call },
      { type: 'tool_call_update', toolCallId: 'c', input: { a: 1 } },
    ],
  ],
  [
    'a call that arrives twice with its input begins once',
    [
      { type: 'tool-call', ...call, input: 1 },
      { type: 'tool-call', ...call, input: 2 },
    ],
    [
      { type: 'tool_call_start', ...call, input: 1 },
      { type: 'tool_call_update', toolCallId: 'c', input: 2 },
    ],
  ],
  [
    'a result is written as the end of its call',
    [{ type: 'tool-result', ...call, output: 7 }],
    [{ type: 'tool_call_complete', ...call, status: 'completed', output: 7 }],
  ],
  [
    'a preliminary result is written as an update',
    [{ type: 'tool-result', ...call, output: 7, preliminary: true }],
    [{ type: 'tool_call_update', toolCallId: 'c', output: 7 }],
  ],
  [
    'a failed tool is written without the text of its error',
    [{ type: 'tool-error', ...call, error: new Error('secret') }],
    [
      {
        type: 'tool_call_complete',
        ...call,
        status: 'error',
        error: { code: 'tool_failed', message: 'The tool failed.' },
      },
    ],
  ],
  [
    'a denied tool is written as declined',
    [{ type: 'tool-output-denied', ...call }],
    [{ type: 'tool_call_complete', ...call, status: 'declined' }],
  ],
  [
    'a call without a name or an id is written with empty ones',
    [{ type: 'tool-input-start' }],
    [{ type: 'tool_call_start', toolCallId: '', toolName: '' }],
  ],
  ['any other part is not written', [{ type: 'reasoning-delta', text: 'hm' }], []],
])('%s', async (_what, parts, events) => {
  const { into, written, ends } = turn()
  expect(await into(parts)).toBe('done')
  expect([written, ends]).toEqual([events, ['done']])
})

test('an error part of the model ends the turn as an error, whatever follows', async () => {
  const { into, ends, written } = turn()
  expect(await into([{ type: 'error' }, { type: 'text-delta', text: 'a' }])).toBe('error')
  expect([ends, written]).toEqual([['error'], [{ type: 'content', text: 'a' }]])
})

test('an abort part of the model pauses the turn, and nothing after it is read', async () => {
  const { into, ends, written } = turn()
  expect(await into([{ type: 'abort' }, { type: 'text-delta', text: 'a' }])).toBe('paused')
  expect([ends, written]).toEqual([[['paused', 'aborted']], []])
})

test.each(['before', 'while'] as const)(
  'a turn that ends %s its stream is read stops the stream at once, although the model hangs',
  async (when) => {
    const { into, controller, ends, returned } = turn()
    if (when === 'before') controller.abort()
    const streaming = into([{ type: 'text-delta', text: 'a' }], 'hang')
    controller.abort()
    expect(await streaming).toBe('aborted')
    expect([ends, returned()]).toEqual([[], 1])
  },
)

test('a stream that throws ends the turn as an error, and the caller receives the original error', async () => {
  const { into, ends, returned } = turn()
  await expect(into([], new TypeError('key sk-1'))).rejects.toThrow('key sk-1')
  expect([ends, returned()]).toEqual([['error'], 1])
})

test('a caller receives the error of a stream also if the end of the turn cannot be written', async () => {
  const { into, failAtTheEnd } = turn()
  failAtTheEnd()
  await expect(into([], new TypeError('key sk-1'))).rejects.toThrow('key sk-1')
})

test('a part that cannot be written ends the turn as an error, unless the turn has ended', async () => {
  const full = turn()
  full.failAt(0)
  await expect(full.into([{ type: 'text-delta', text: 'a' }])).rejects.toThrow('no room')
  expect(full.ends).toEqual(['error'])
  const over = turn()
  over.failAt(0)
  const streaming = over.into([{ type: 'text-delta', text: 'a' }])
  over.controller.abort()
  expect(await streaming).toBe('aborted')
  expect(over.ends).toEqual([])
})
