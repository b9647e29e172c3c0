import { describe, expect, test } from 'vitest'
import { QuestionRoom } from './question-room.ts'

const limits = { openQuestions: 100, openQuestionBytes: 8_000_000 }

function world() {
  let now = 0
  const rooms = (count: number, changes = {}) =>
    Array.from({ length: count }, () => new QuestionRoom({ ...limits, ...changes }, () => now))
  const pass = (ms: number) => {
    now += ms
  }
  return { rooms, pass }
}

/** How many questions a process asks until it must count again. */
function asked(room: QuestionRoom, bytes = 0): number {
  let count = 0
  for (; room.has('chat'); count++) room.use('chat', bytes)
  return count
}

describe('the question limit of a session', () => {
  test('is unknown until the questions were counted', () => {
    const [room] = world().rooms(1)
    room?.use('chat', 1)
    expect(room?.has('chat')).toBe(false)
  })

  test('eight processes that counted at the same moment cannot exceed the limit together', () => {
    const processes = world().rooms(8)
    for (const room of processes) room.counted('chat', { questions: 40, bytes: 0 })
    const together = processes.reduce((sum, room) => sum + asked(room), 0)
    expect(together).toBeGreaterThan(40)
    expect(together).toBeLessThanOrEqual(60)
  })

  test('is bounded by the characters of the open questions', () => {
    const [room] = world().rooms(1)
    room?.counted('chat', { questions: 0, bytes: 7_200_000 })
    expect(asked(room as QuestionRoom, 50_000)).toBe(2)
  })

  test('is counted for each question when the limit is low or nearly reached', () => {
    const [low] = world().rooms(1, { openQuestions: 7 })
    low?.counted('chat', { questions: 0, bytes: 0 })
    expect(low?.has('chat')).toBe(false)
    const [full] = world().rooms(1)
    full?.counted('chat', { questions: 0, bytes: 0 })
    full?.counted('chat', { questions: 95, bytes: 0 })
    expect(full?.has('chat')).toBe(false)
  })

  test('is counted again after a minute', () => {
    const { rooms, pass } = world()
    const [room] = rooms(1)
    room?.counted('chat', { questions: 0, bytes: 0 })
    pass(59_999)
    expect(room?.has('chat')).toBe(true)
    pass(1)
    expect(room?.has('chat')).toBe(false)
  })

  test('is forgotten for the oldest of very many sessions', () => {
    const [room] = world().rooms(1)
    for (let n = 0; n <= 10_000; n++) room?.counted(`${n}`, { questions: 0, bytes: 0 })
    expect(room?.has('0')).toBe(false)
    expect(room?.has('3000')).toBe(true)
    expect(room?.has('10000')).toBe(true)
  })
})
