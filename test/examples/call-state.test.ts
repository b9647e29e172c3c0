import { describe, expect, test } from 'vitest'
import { stateOf } from '../../examples/nextjs/components/call-state.ts'

type Part = Parameters<typeof stateOf>[0]
const streaming = { type: 'dynamic-tool', toolName: 't', toolCallId: 'c', state: 'input-available', input: {} } as Part
const finished = { ...streaming, state: 'output-available', output: { image: 'web' } } as Part
const asked = (status: Parameters<typeof stateOf>[2][number]['status'], deferred = false) => [{ status, deferred }]
const running = { status: 'running' }

describe('the status line of a tool call agrees with its card for', () => {
  test.each([
    ['waits', streaming, running, asked('pending'), 'asking'],
    ['was deferred and can still be answered', finished, { status: 'queued' }, asked('pending', true), 'later'],
    ['was superseded while the old stream is open', streaming, running, asked('superseded'), 'refused'],
    [
      'was superseded in a tool that returned something',
      finished,
      { status: 'completed' },
      asked('superseded'),
      'refused',
    ],
    ['was stopped', streaming, { status: 'cancelled' }, asked('cancelled'), 'stopped'],
    ['was declined, and its part does not show it yet', streaming, { status: 'declined' }, [], 'refused'],
    ['was approved and runs', streaming, running, asked('answered'), 'running'],
    ['was approved and has run', finished, { status: 'completed' }, asked('answered'), 'done'],
    ['is known from its part alone', finished, undefined, [], 'done'],
  ] as const)('a call that %s', (_, part, call, questions, state) => {
    expect(stateOf(part, call, questions)).toBe(state)
  })

  test('the status line follows the last prompt of a question', () => {
    const chain = [{ status: 'superseded', deferred: false, replacedBy: 'q2' } as const, ...asked('pending')]
    expect(stateOf(streaming, running, chain)).toBe('asking')
  })
})
