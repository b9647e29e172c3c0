import { memoryStore } from '@holdpoint/server/memory'
import { faultyStore } from '@holdpoint/server/testing'
import { expect, onTestFinished, test } from 'vitest'
import { askedWorld } from './support/asked-world.ts'
import { protocolTable } from './support/protocol-table.ts'
import { refusals } from './support/refusals.ts'

const statuses = new Map(protocolTable('Errors').map(([code = '', status]) => [code, Number(status)]))
const ofBadInput = new Set(protocolTable('Bad input').map(([, , code = '']) => code))

test('each code of "Errors" in PROTOCOL.md is returned by a case of this test or of bad input', () => {
  expect([...statuses.keys()].filter((code) => !ofBadInput.has(code)).sort()).toEqual(Object.keys(refusals).sort())
})

test.each(Object.entries(refusals))('[HP-HTTP-3] [HP-HTTP-4] [HP-HTTP-5] %s', async (code, refusal) => {
  const store = faultyStore(memoryStore())
  const world = await askedWorld(store, refusal.options)
  onTestFinished(() => world.stop())
  const { status, body, message, retryAfter, ...seen } = await refusal.comesAbout(world, store)
  expect([status, seen.code]).toEqual([statuses.get(code), code])
  expect(message).toMatch(refusal.says)
  expect(message).toMatch(/[.;:] .+[.?]$/s)
  expect(JSON.stringify(body)).not.toMatch(/10\.0\.0\.3|node_modules|\.ts:\d|at \w+ \(/)
  if (status === 429 || status === 503 || code === 'settling') {
    expect(Number(retryAfter)).toBeGreaterThan(0)
    expect(body).toMatchObject({ error: { retryAfterMs: expect.any(Number) } })
  }
})
