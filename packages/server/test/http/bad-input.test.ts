import { describe, expect, onTestFinished, test } from 'vitest'
import { stores } from '../engine/support/world.ts'
import { type AskedWorld, askedWorld, EVE, filledIn, type Seen, yes } from './support/asked-world.ts'
import { badInput, badInputOptions, type Standing } from './support/bad-input.ts'
import { protocolTable } from './support/protocol-table.ts'

const rows = protocolTable('Bad input')

test('each row of "Bad input" in PROTOCOL.md has a case, and each case a row', () => {
  expect(rows.length).toBeGreaterThan(20)
  expect(Object.keys(badInput).sort()).toEqual(rows.map(([what = '']) => what).sort())
})

describe.each(stores)('[HP-BAD-1] bad input, on the %s store', (_, makeStore) => {
  test.each(rows)('%s: %s %s; the question: %s', async (what, status, code, becomes) => {
    const { says, before, sends } = badInput[what ?? '']!
    const world = await askedWorld(makeStore(), badInputOptions)
    onTestFinished(() => world.stop())
    const acknowledged = yes(await world.asks('approval'))
    expect(await world.send(acknowledged)).toMatchObject({ status: 200 })
    const standing: Standing = {
      world,
      approval: await world.asks('approval'),
      form: await world.asks('form'),
      hers: await world.asks('approval', 'hers', EVE),
    }
    await before?.(standing)
    const stood = await everything(world)

    for (const seen of await Promise.all(sends(standing))) {
      expect([seen.status, seen.code]).toEqual([Number(status), code])
      if (says) expectWords(seen, says)
    }

    expect(['stays open', 'untouched', 'not asked', '–']).toContain(becomes)
    expect(await everything(world)).toEqual(stood)
    expect(await world.send(acknowledged)).toMatchObject({ status: 200, body: { replayed: true } })
    await answersCount(standing)
  })
})

/** What, why and what to do take more than one sentence; nothing from inside is among them. */
function expectWords({ status, message, retryAfter, body }: Seen, says: RegExp): void {
  expect(message).toMatch(says)
  expect(message).toMatch(/[.;:] .+[.?]$/s)
  expect(JSON.stringify(body)).not.toMatch(/node_modules|\.ts:\d|at \w+ \(|SQLITE|\beve\b/)
  if (status === 429) expect(Number(retryAfter)).toBeGreaterThan(0)
}

/** Returns what people see of both sessions, and the log. */
async function everything(world: AskedWorld): Promise<unknown> {
  const { serverTime: _mine, ...mine } = await world.snapshot()
  const { serverTime: _hers, ...hers } = await world.snapshot('hers', 'eve')
  const { body } = await world.fetch('/sessions/s1/events?wait=0&cursor=0.0.0')
  return [mine, hers, body]
}

/** Proper answers are taken, and reach who waits for them. */
async function answersCount({ world, approval, form, hers }: Standing): Promise<void> {
  expect(await world.send(yes(approval))).toMatchObject({ status: 200, body: { status: 'accepted' } })
  expect(await approval.outcome).toMatchObject({ outcome: 'approved' })
  expect(await world.send(filledIn(form))).toMatchObject({ status: 200 })
  expect(await form.outcome).toMatchObject({ outcome: 'submitted', input: { email: 'ada@example.com' } })
  expect(await world.send(yes(hers), { session: 'hers', user: 'eve' })).toMatchObject({ status: 200 })
  expect(await hers.outcome).toMatchObject({ outcome: 'approved' })
}
