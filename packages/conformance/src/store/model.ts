import { pages } from '@holdpoint/core/internal'
import type { Commit, Row, Store } from '@holdpoint/server/store'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { seedOr } from '../seeded.ts'
import type { Harness } from './harness.ts'
import { ReferenceStore } from './reference.ts'

interface Real {
  store: Store
  /** The store's clock when the run began; due times are relative to it. */
  start: number
  /** Separates the runs of one store. */
  run: string
  advance: (ms: number) => void
}
interface Model {
  reference: ReferenceStore
  elapsed: number
}
type Command = fc.AsyncCommand<Model, Real>

const PARTITIONS = ['p', 'q/{x}', 'é']
const KINDS = ['k', 'l']
const IDS = ['a', 'b', 'c:1', '\u{1f600}', '\u{ffee}']
const TAGS = ['t', 'u', 'v']

/** Relation of the written version to the row's version when the command runs. */
const expectation = fc.constantFrom('none', 'right', 'right', 'absent', 'off by one' as const)

const commit = fc.record({
  partition: fc.constantFrom(...PARTITIONS),
  checks: fc.array(fc.record({ kind: fc.constantFrom(...KINDS), id: fc.constantFrom(...IDS), expectation }), {
    maxLength: 2,
  }),
  writes: fc.uniqueArray(
    fc.record({
      kind: fc.constantFrom(...KINDS),
      id: fc.constantFrom(...IDS),
      expectation,
      remove: fc.boolean(),
      data: fc.json({ maxDepth: 1 }),
      due: fc.option(fc.integer({ min: -50_000, max: 200_000 })),
      tags: fc.uniqueArray(fc.constantFrom(...TAGS)),
    }),
    { selector: ({ kind, id }) => kind + id, maxLength: 4 },
  ),
  events: fc.array(fc.json({ maxDepth: 1 }), { maxLength: 3 }),
})

class CommitCommand implements Command {
  private readonly plan: typeof commit extends fc.Arbitrary<infer T> ? T : never
  constructor(plan: CommitCommand['plan']) {
    this.plan = plan
  }
  check = () => true
  async run(model: Model, real: Real): Promise<void> {
    const partition = real.run + this.plan.partition
    const kindOf = (kind: string) => real.run + kind
    const expected = (kind: string, id: string, how: string): number | undefined => {
      const version = model.reference.version(partition, kindOf(kind), id)
      return { right: version, absent: 0, 'off by one': version + 1 }[how]
    }
    const item: Commit = {
      partition,
      checks: this.plan.checks.map(({ kind, id, expectation: how }) => {
        return { kind: kindOf(kind), id, version: expected(kind, id, how) ?? 0 }
      }),
      puts: this.plan.writes
        .filter(({ remove }) => !remove)
        .map(({ kind, id, expectation: how, data, due, tags }) => ({
          ...withExpect(kindOf(kind), id, expected(kind, id, how)),
          data,
          due: due === null ? null : real.start + due,
          tags: tags.map((tag) => real.run + tag),
        })),
      deletes: this.plan.writes
        .filter(({ remove }) => remove)
        .map(({ kind, id, expectation: how }) => withExpect(kindOf(kind), id, expected(kind, id, how))),
      events: this.plan.events,
    }
    const believed = model.reference.commit(item)
    expect(await real.store.commit(item)).toMatchObject(believed)
  }
  toString = () => `commit ${JSON.stringify(this.plan)}`
}

function withExpect(kind: string, id: string, version: number | undefined) {
  return version === undefined ? { kind, id } : { kind, id, expect: version }
}

class TrimCommand implements Command {
  private readonly partition: string
  private readonly before: number
  constructor(partition: string, before: number) {
    this.partition = partition
    this.before = before
  }
  check = () => true
  async run(model: Model, real: Real): Promise<void> {
    model.reference.trim(real.run + this.partition, this.before)
    await real.store.trim(real.run + this.partition, this.before)
  }
  toString = () => `trim ${this.partition} ${this.before}`
}

class RewriteCommand implements Command {
  private readonly partition: string
  private readonly seq: number
  constructor(partition: string, seq: number) {
    this.partition = partition
    this.seq = seq
  }
  check = () => true
  async run(model: Model, real: Real): Promise<void> {
    model.reference.rewrite(real.run + this.partition, this.seq, '"other"')
    await real.store.rewrite(real.run + this.partition, [{ seq: this.seq, json: '"other"' }])
  }
  toString = () => `rewrite ${this.partition} ${this.seq}`
}

class EraseCommand implements Command {
  private readonly partition: string
  constructor(partition: string) {
    this.partition = partition
  }
  check = () => true
  async run(model: Model, real: Real): Promise<void> {
    model.reference.erase(real.run + this.partition)
    await real.store.erase(real.run + this.partition)
  }
  toString = () => `erase ${this.partition}`
}

class AdvanceCommand implements Command {
  private readonly ms: number
  constructor(ms: number) {
    this.ms = ms
  }
  check = () => true
  async run(model: Model, real: Real): Promise<void> {
    model.elapsed += this.ms
    real.advance(this.ms)
  }
  toString = () => `advance ${this.ms}`
}

class CompareCommand implements Command {
  private readonly limit: number
  constructor(limit: number) {
    this.limit = limit
  }
  check = () => true
  async run({ reference, elapsed }: Model, { store, run, start }: Real): Promise<void> {
    for (const partition of PARTITIONS.map((name) => run + name)) {
      const log = reference.log(partition)
      const from = Math.max(0, log.head - this.limit)
      const page = await store.readLog(partition, { from, limit: this.limit })
      const events = log.events.filter(({ seq }) => seq >= from).slice(0, this.limit)
      expect(page).toMatchObject({ head: log.head, floor: log.floor, events })
      const kinds = KINDS.map((kind) => run + kind)
      const rows = kinds.flatMap((kind) => reference.list(partition, kind))
      const snapshot = await store.snapshot(partition, kinds)
      expect(snapshot).toMatchObject({ rows, head: log.events.at(-1) ?? null })
      expect((await store.snapshot(partition, kinds, { limit: this.limit })).rows).toEqual(rows.slice(0, this.limit))
      expect((await store.load(rows)).rows).toEqual(rows)
      for (const kind of kinds)
        expect(await paged(store, partition, kind, this.limit)).toEqual(reference.list(partition, kind))
    }
    for (const tag of TAGS.map((name) => run + name)) {
      const found: Row[] = []
      const read = (after?: string) => store.byTag(tag, { limit: this.limit, ...(after !== undefined && { after }) })
      for await (const { rows } of pages(read)) found.push(...rows)
      expect(found.map(written).sort()).toEqual(reference.tagged(tag).map(written).sort())
    }
    for (const kind of KINDS.map((name) => run + name)) {
      const timed = reference.timed(kind).sort((a, b) => a.due - b.due)
      const dueOf = (row: Row) => timed.find((one) => written(one.row) === written(row))?.due
      const { rows, nextDue, now } = await store.due(kind, { limit: this.limit })
      // The real clock advances during the run. Due times are far enough apart not to be affected.
      expect(now - start).toBeGreaterThanOrEqual(elapsed)
      const come = timed.filter(({ due }) => due <= now)
      expect(rows.map(dueOf)).toEqual(come.slice(0, this.limit).map(({ due }) => due))
      expect(nextDue).toBe(timed[Math.min(come.length, this.limit)]?.due)
    }
  }
  toString = () => `compare ${this.limit}`
}

async function paged(store: Store, partition: string, kind: string, limit: number): Promise<Row[]> {
  const found: Row[] = []
  const read = async (after?: string) => {
    const rows = await store.list(partition, kind, { limit, ...(after !== undefined && { after }) })
    return { rows, next: rows.length < limit ? undefined : rows.at(-1)?.id }
  }
  for await (const { rows } of pages(read)) found.push(...rows)
  return found
}

function written(row: Row): string {
  return JSON.stringify(row)
}

export function modelTests(harness: Harness, numRuns: number): void {
  const partition = fc.constantFrom(...PARTITIONS)
  const commands = fc.commands(
    [
      commit.map((plan) => new CommitCommand(plan)),
      commit.map((plan) => new CommitCommand(plan)),
      fc.tuple(partition, fc.nat(12)).map(([name, before]) => new TrimCommand(name, before)),
      fc.tuple(partition, fc.nat(12)).map(([name, seq]) => new RewriteCommand(name, seq)),
      partition.map((name) => new EraseCommand(name)),
      fc.integer({ min: 1, max: 60_000 }).map((ms) => new AdvanceCommand(ms)),
      fc.integer({ min: 1, max: 5 }).map((limit) => new CompareCommand(limit)),
    ],
    { size: 'medium' },
  )

  test('the store behaves like the reference implementation for every sequence of commands', async () => {
    const store = await harness.fresh()
    let runs = 0
    await fc.assert(
      fc.asyncProperty(commands, async (list) => {
        const run = `${++runs}:`
        const { now: start } = await store.load([])
        const model: Model = { reference: new ReferenceStore(), elapsed: 0 }
        await fc.asyncModelRun(
          () => ({ model, real: { store, start, run, advance: harness.advance } }),
          [...list, new CompareCommand(3)],
        )
      }),
      { numRuns, seed: seedOr(20_260), endOnFailure: false },
    )
  }, 120_000)
}
