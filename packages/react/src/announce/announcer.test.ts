import { english } from '@holdpoint/core/messages'
import { expect, test, vi } from 'vitest'
import { systemClock } from '../base/clock.ts'
import { createAnnouncer } from './announcer.ts'

function setUp() {
  vi.useFakeTimers()
  const announcer = createAnnouncer(systemClock)
  const heard: string[] = []
  announcer.subscribe(() => heard.push(announcer.getText()))
  return { announcer, heard, pass: () => vi.advanceTimersByTime(1_000) }
}

test('a question is announced once, although several components report it', () => {
  const { announcer, heard, pass } = setUp()
  announcer.asked('q1', 'Delete 3 files?', english)
  announcer.asked('q1', 'Delete 3 files?', english)
  pass()
  announcer.asked('q1', 'Delete 3 files?', english)
  pass()
  expect(heard).toEqual(['A question is waiting: Delete 3 files?'])
})

test('several simultaneous questions are one announcement', () => {
  const { announcer, heard, pass } = setUp()
  for (const id of ['a', 'b', 'c']) announcer.asked(id, id, english)
  pass()
  expect(heard).toEqual(['3 questions are waiting'])
})

test('an outcome is announced once, and only for announced questions', () => {
  const { announcer, heard, pass } = setUp()
  announcer.asked('q1', 'Delete?', english)
  pass()
  announcer.settled('q1', 'You approved this')
  announcer.settled('q1', 'You approved this')
  announcer.settled('from the history', 'You approved this')
  expect(heard.slice(1)).toEqual(['You approved this'])
})

test('a question that is answered at once is not announced', () => {
  const { announcer, heard, pass } = setUp()
  announcer.asked('q1', 'Delete?', english)
  announcer.settled('q1', 'You approved this')
  pass()
  expect(heard).toEqual([])
})

test('the same sentence is announced again if it is added again', () => {
  const { announcer, heard } = setUp()
  announcer.announce('Not sent.')
  announcer.announce('Not sent.')
  expect(new Set(heard).size).toBe(2)
})

test('no text is announced after the page released the announcer', () => {
  const { announcer, heard, pass } = setUp()
  announcer.asked('q1', 'Delete?', english)
  announcer.dispose()
  pass()
  expect(heard).toEqual([])
})

test('an error of an answer is announced at once, and the reprompt is not announced as another question', () => {
  const { announcer, heard, pass } = setUp()
  announcer.asked('q1', 'Where to?', english)
  announcer.refused('q2', 'q1', 'E-mail: no such host.')
  announcer.refused('q2', 'q1', 'E-mail: no such host.')
  announcer.asked('q2', 'Where to?', english)
  pass()
  expect(heard).toEqual(['E-mail: no such host.'])
})

test('a text that is added while questions are collected is announced after them, and remains', () => {
  const { announcer, heard, pass } = setUp()
  announcer.asked('q1', 'Delete?', english)
  announcer.announce('Not sent.')
  pass()
  expect(heard).toEqual(['A question is waiting: Delete?', 'Not sent.'])
})
