import type { Interaction } from '@holdpoint/core'
import { english } from '@holdpoint/core/messages'
import { describe, expect, test } from 'vitest'
import { createDevice } from '../base/device.ts'
import { answered, approval, connect, diff, form, NOW } from '../testing/interactions.ts'
import { outcomeOf, type Reader } from './outcome-text.ts'

const by = (respondedBy: { clientId: string; userId?: string; name?: string }, action = 'approve' as const) =>
  answered(approval(), { action, respondedBy }, { here: false })
const of = (one: Interaction, reader?: Reader) => outcomeOf(one, 'answered-elsewhere', english, reader)
const memory = () => {
  const kept = new Map<string, string>()
  return {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, text: string) => void kept.set(key, text),
  }
}

describe('the name of the user who answered', () => {
  const ada = { clientId: 'before-the-reload', userId: 'ada', name: 'Ada' }

  test('is "You" for an own answer after a reload', () => {
    expect(of(by(ada), { userId: 'ada' })).toBe('You approved this')
  })

  test('is "You" for an answer from another tab of this browser, and names another device', () => {
    const storage = memory()
    const device = createDevice(
      () => storage,
      () => NOW,
    )
    device.remember('before-the-reload')
    expect(of(by(ada), { userId: 'ada', device })).toBe('You approved this')
    const phone = by({ ...ada, clientId: 'phone' })
    expect(of(phone, { userId: 'ada', device })).toBe('You approved this (on another device)')
  })

  test('is the name of another user, or "Another user"', () => {
    expect(of(by(ada), { userId: 'grace' })).toBe('\u2068Ada\u2069 approved this')
    expect(of(by({ clientId: 'x' }), { userId: 'grace' })).toBe('Another user approved this')
    expect(of(answered(form(), { action: 'submit' }, { here: false, name: 'Ada' }))).toBe(
      '\u2068Ada\u2069 answered this',
    )
    expect(of(answered(approval(), { action: 'deny' }, { here: false, name: 'Ada' }))).toBe(
      '\u2068Ada\u2069 denied this. It was not done.',
    )
  })
})

describe('the device that answered', () => {
  test('is recognized after a reload', () => {
    const storage = memory()
    createDevice(
      () => storage,
      () => 1,
    ).remember('a')
    expect(
      createDevice(
        () => storage,
        () => 2,
      ).isAnother('a', new Date(3).toISOString()),
    ).toBe(false)
    expect(
      createDevice(
        () => storage,
        () => 2,
      ).isAnother('b', new Date(3).toISOString()),
    ).toBe(true)
  })

  test('is unknown for answers older than the record, and without a storage', () => {
    const storage = memory()
    const device = createDevice(
      () => storage,
      () => 5_000,
    )
    device.remember('a')
    expect(device.isAnother('b', new Date(4_000).toISOString())).toBe(false)
    const forbidden = createDevice(
      () => {
        throw new Error('forbidden')
      },
      () => 0,
    )
    forbidden.remember('a')
    expect(forbidden.isAnother('b', new Date().toISOString())).toBe(false)
  })

  test('is recognized for the last hundred clients', () => {
    const storage = memory()
    const device = createDevice(
      () => storage,
      () => 0,
    )
    for (let count = 0; count < 120; count++) device.remember(`client-${count}`)
    expect(JSON.parse(storage.getItem('holdpoint:clients')!)).toHaveLength(100)
    expect(device.isAnother('client-119', new Date().toISOString())).toBe(false)
  })
})

test('the outcome text of a partial approval contains the number of changes, for any user who answered', () => {
  const question = approval({ request: { diff: [...diff, { path: 'old.bin', status: 'deleted', hunks: [] }] } })
  const diffDecisions = { h1: 'accept', h2: 'reject', h3: 'accept', 'old.bin': 'reject' } as const
  const some = answered(question, { action: 'approve', diffDecisions })
  expect(outcomeOf(some, 'answered-here', english)).toBe('You approved 2 of 4 changes')
  expect(of({ ...some, answeredBy: { clientId: 'x', name: 'Ada' } })).toBe('\u2068Ada\u2069 approved 2 of 4 changes')
  const all = answered(question, { action: 'approve', diffDecisions: { h1: 'accept', h2: 'accept', h3: 'accept' } })
  expect(outcomeOf(all, 'answered-here', english)).toBe('You approved this')
})

test('a question that the user skipped has the same outcome text for every kind', () => {
  const text = 'You continued without answering. Nothing was done.'
  for (const one of [approval(), form(), connect()]) {
    expect(outcomeOf({ ...one, status: 'superseded' }, 'superseded', english)).toBe(text)
  }
})
