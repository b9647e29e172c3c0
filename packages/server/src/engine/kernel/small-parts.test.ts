import { memoryStore } from '@holdpoint/server/memory'
import { faultyStore, testClock } from '@holdpoint/server/testing'
import { describe, expect, test, vi } from 'vitest'
import { canonicalJson, digestOf, recordable } from '../../base/canonical-json.ts'
import { systemEnvironment } from '../../base/environment.ts'
import { Scheduler } from '../../base/scheduler.ts'
import { SerialQueue } from '../../base/serial-queue.ts'
import { SecretVault } from '../answering/secret-vault.ts'
import { accepts } from '../answering/uploads.ts'
import { InteractionRefused } from '../api/interaction-refused.ts'
import { reworded } from '../asking/request-event.ts'
import { newInteractionId, sessionPartition } from '../records/keys.ts'
import { decodeRow, encodeRow } from '../records/row-codec.ts'
import { transact } from '../records/transact.ts'
import { redactPerson } from '../upkeep/redact-person.ts'

const environment = systemEnvironment()

describe('canonical JSON', () => {
  test('is the same for the same value, in whatever order it was written', () => {
    expect(canonicalJson({ b: [1, { y: 2, x: 1 }], a: undefined })).toBe('{"b":[1,{"x":1,"y":2}]}')
    expect(digestOf({ a: 1, b: 2 })).toBe(digestOf({ b: 2, a: 1 }))
    expect(digestOf([1, 2])).not.toBe(digestOf([2, 1]))
    expect(canonicalJson(undefined)).toBe('null')
    expect(canonicalJson(new Date(0))).toBe('"1970-01-01T00:00:00.000Z"')
  })
  test('what JSON cannot hold is refused by name', () => {
    const cycle: { self?: unknown } = {}
    cycle.self = cycle
    for (const value of [1n, cycle, () => 1, Symbol('x')]) {
      expect(() => recordable('It', value)).toThrow(expect.objectContaining({ code: 'not_recordable' }))
    }
    // What it was that failed is for the log.
    expect(() => recordable('It', cycle)).toThrow(expect.objectContaining({ cause: expect.any(TypeError) }))
    expect(recordable('It', undefined)).toBeUndefined()
    expect(recordable('It', { at: new Date(0) })).toEqual({ at: '1970-01-01T00:00:00.000Z' })
  })
})

test('what does not name a person stays the very same, so that nothing is written again', () => {
  const event = { audience: ['bob'], respondedBy: { userId: 'bob', clientId: 'tab' }, note: 'ada' }
  expect(redactPerson(event, 'ada')).toBe(event)
  expect(redactPerson(event, 'bob')).toEqual({ ...event, audience: [], respondedBy: expect.anything() })
  const row = { answer: { by: { userId: 'bob', name: 'Bob', clientId: 'tab' } } }
  expect(redactPerson(row, 'ada')).toBe(row)
  expect(JSON.stringify(redactPerson(row, 'bob'))).not.toMatch(/bob/i)
})

describe('rows', () => {
  test('of older versions go through every upcaster since; newer ones are refused by name', () => {
    const first = encodeRow({ name: 'Ada' })
    const upcasters = [
      (old: { name: string }) => ({ names: [old.name] }),
      (old: { names: string[] }) => ({ ...old, version: 'third' }),
    ]
    expect(decodeRow('x', first, upcasters)).toEqual({ names: ['Ada'], version: 'third' })
    expect(decodeRow('x', encodeRow({ names: [] }, upcasters), upcasters)).toEqual({ names: [] })
    const newer = encodeRow({}, upcasters)
    expect(() => decodeRow('x', newer)).toThrow(expect.objectContaining({ code: 'row_newer' }))
  })
  test('names that come from outside cannot read as another tenant’s', () => {
    const names = [sessionPartition('a', 'b/c'), sessionPartition('a/b', 'c'), sessionPartition('a', 'b%2Fc')]
    expect(new Set(names).size).toBe(3)
  })
  test('interaction ids sort newest first and cannot be guessed', () => {
    const ids = [1_000, 2_000, 3_000_000_000_000].map((now) => newInteractionId(environment, now))
    expect([...ids].sort()).toEqual([...ids].reverse())
    expect(new Set(ids.map((id) => id.slice(10))).size).toBe(3)
  })
})

test('work of one name runs one after the other, of different names side by side', async () => {
  const serial = new SerialQueue()
  const log: string[] = []
  const job = (name: string, fails = false) =>
    serial
      .run(name.charAt(0), async () => {
        log.push(`${name} begins`)
        await new Promise((resolve) => setTimeout(resolve, 1))
        log.push(`${name} ends`)
        if (fails) throw new Error(name)
      })
      .catch(() => log.push(`${name} fails`))
  await Promise.all([job('a1', true), job('a2'), job('b1')])
  expect(log.indexOf('a2 begins')).toBeGreaterThan(log.indexOf('a1 ends'))
  expect(log.indexOf('b1 begins')).toBeLessThan(log.indexOf('a1 ends'))
})

describe('the alarm', () => {
  function world() {
    const clock = testClock({ start: 0 })
    const failed: string[] = []
    const alarm = new Scheduler({ ...environment, ...clock.environment }, undefined, (job) => void failed.push(job))
    const rang: string[] = []
    const job = (name: string, again?: number) =>
      alarm.add(name, async () => {
        rang.push(`${name} ${clock.now()}`)
        return again
      })
    return { clock, alarm, rang, job, failed }
  }
  test('has one timer for everything, set for what comes first', async () => {
    const { clock, alarm, rang, job } = world()
    job('a')
    job('b', 50)
    alarm.runWithin('a', 100)
    alarm.runWithin('b', 70)
    alarm.runWithin('a', 500)
    expect(clock.timers).toBe(1)
    await clock.advance(130)
    expect(rang).toEqual(['b 70', 'a 100', 'b 120'])
    expect(clock.timers).toBe(1)
    alarm.stop()
    expect(clock.timers).toBe(0)
    await clock.advance(1_000)
    expect(rang).toHaveLength(3)
  })
  test('what is stopped runs nothing, not even for whoever asks', async () => {
    const { alarm, rang, job } = world()
    job('a')
    await alarm.run('a')
    alarm.stop()
    await alarm.run('a')
    expect(rang).toHaveLength(1)
  })
  test('reaches further than a timer can', async () => {
    const { clock, alarm, rang, job } = world()
    job('far')
    alarm.runWithin('far', 2 ** 31 + 5)
    await clock.jump(2 ** 31 - 1)
    expect(rang).toEqual([])
    await clock.jump(6)
    expect(rang).toHaveLength(1)
  })
  test('a job that fails is tried again; one at work is not begun a second time, but once more afterwards', async () => {
    const { clock, alarm, rang, failed } = world()
    let runs = 0
    alarm.add('flaky', async () => {
      if (++runs === 1) throw new Error('not yet')
      return undefined
    })
    alarm.runWithin('flaky', 0)
    await clock.advance('5s')
    expect([runs, failed]).toEqual([2, ['flaky']])
    let finish = () => {}
    alarm.add('slow', () => {
      rang.push('slow')
      return new Promise((resolve) => (finish = () => resolve(undefined)))
    })
    alarm.runWithin('slow', 0)
    await clock.settle()
    alarm.runWithin('slow', 0)
    await clock.settle()
    expect(rang).toEqual(['slow'])
    expect(clock.timers).toBe(0)
    finish()
    await clock.settle()
    expect(rang).toEqual(['slow', 'slow'])
  })
})

describe('a transaction', () => {
  const deps = () => ({ store: faultyStore(memoryStore()), environment, keepMs: 1_000 })
  const run = { runId: 'r', status: 'running' as const, waiting: {} }

  test('decides again when somebody wrote what it read, even where it only read', async () => {
    const { store, ...rest } = deps()
    let tries = 0
    await transact({ store, ...rest }, 'p', async (tx) => {
      const [seen] = await tx.read(['run', 'r'])
      if (++tries === 1) await transact({ store, ...rest }, 'p', async (other) => other.put('run', 'r', run))
      tx.put('idle', 'copy', seen ?? { ...run, runId: 'nothing there' })
    })
    const [copy] = await transact({ store, ...rest }, 'p', (tx) => tx.read(['idle', 'copy']))
    expect([tries, copy?.runId]).toEqual([2, 'r'])
  })
  test('two hundred at once lose nothing', async () => {
    const shared = deps()
    const count = () =>
      transact(shared, 'p', async (tx) => {
        const [node] = await tx.read(['node', 'n'])
        tx.put('node', 'n', { until: (node?.until ?? 0) + 1 })
      })
    await Promise.all(Array.from({ length: 200 }, count))
    const [node] = await transact(shared, 'p', (tx) => tx.read(['node', 'n']))
    expect(node?.until).toBe(200)
  })
  test('gives up by name when it is overtaken for ever', async () => {
    const shared = deps()
    const overtaken = transact(shared, 'p', async (tx) => {
      const [node] = await tx.read(['node', 'n'])
      await transact(shared, 'p', async (other) => other.put('node', 'n', { until: Math.random() }))
      tx.put('node', 'n', { until: (node?.until ?? 0) + 1 })
    })
    await expect(overtaken).rejects.toMatchObject({ code: 'store_contention' })
  })
})

test('a question in other words is asked by whoever asked it, or by whom the tool names', () => {
  const requester = { name: 'files.example', kind: 'mcp' as const }
  const asked = { interactionType: 'input' as const, prompt: 'Code?', timeoutMs: 1_000, requester }
  expect(reworded(asked as never, { error: 'Wrong.' })).toEqual({ ...asked, error: 'Wrong.' })
  const other = { name: 'mail.example', kind: 'mcp' as const }
  expect(reworded(asked as never, { requester: other })).toEqual({ ...asked, requester: other })
})

describe('the vault', () => {
  const key = (id: string, fill: number) => ({ id, key: new Uint8Array(32).fill(fill) })
  test('opens what it sealed, in the place that it was sealed for, and nothing that was touched', () => {
    const vault = new SecretVault(environment, [key('1', 1)])
    const { id, row } = vault.seal('s/a', 'täst')
    expect(vault.open('s/a', id, row)).toBe('täst')
    expect(() => vault.open('s/b', id, row)).toThrow()
    expect(() => vault.open('s/a', 'other', row)).toThrow()
    const touched = Buffer.from(row.data, 'base64')
    touched[0] = (touched[0] ?? 0) ^ 1
    expect(() => vault.open('s/a', id, { ...row, data: touched.toString('base64') })).toThrow()
    expect(vault.seal('s/a', 'täst').row.data).not.toBe(row.data)
  })
})

test.each([
  [undefined, 'a.exe', 'x/y', true],
  [['.pdf'], 'A.PDF', 'application/pdf', true],
  [['.pdf'], 'a.pdf.exe', 'application/pdf', false],
  [['image/*'], 'a', 'image/png', true],
  [['image/*'], 'a', 'imagery/png', false],
  [['text/plain'], 'a', 'text/plain', true],
] as const)('accept %s: %s as %s → %s', (accept, name, type, taken) => {
  expect(accepts(accept, name, type)).toBe(taken)
})

test('a refusal is one for every copy of the module: bundlers make several', async () => {
  vi.resetModules()
  const copy = await import('../api/interaction-refused.ts')
  expect(copy.InteractionRefused).not.toBe(InteractionRefused)
  expect(new copy.InteractionRefused('denied')).toBeInstanceOf(InteractionRefused)
  for (const other of [new Error('denied'), Object.assign(new Error('x'), { code: 'x', details: {} }), null]) {
    expect(other).not.toBeInstanceOf(InteractionRefused)
  }
})
