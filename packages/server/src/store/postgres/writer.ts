import type { Commit, CommitResult, LogEvent } from '../port.ts'
import { storeError } from '../shared/errors.ts'
import { type Plan, type PlannedPart, planGroup, rowKey, type Versions } from './plan.ts'
import type { Connections, Query } from './pool/connections.ts'

export interface WriterOptions {
  schema: string
  /** The id of this store in the list of changes, so that it ignores its own changes. */
  author: string
  lockTimeoutMs: number
  newEpoch: () => string
}

/**
 * The maximum number of rounds under locks. Rows can change between two rounds only while their partition does not
 * exist yet and cannot be locked, so few are needed.
 */
const ROUNDS = 5
const TRIM_AT_ONCE = 10_000

type Answer = { done: true; before: { epoch: string | null; head: number }[] } | { done: false; versions: Versions }

/** Writes groups of commits through the function of the schema. */
export class PostgresWriter {
  private readonly connections: Connections
  private readonly options: WriterOptions
  private readonly sql: string

  constructor(connections: Connections, options: WriterOptions) {
    this.connections = connections
    this.options = options
    const parameters = Array.from({ length: 22 }, (_, n) => `$${n + 1}`)
    this.sql = `SELECT * FROM ${options.schema}.commit_1(${parameters.join(', ')})`
  }

  /**
   * Commits a group. It first assumes that all rows have the expected versions, which needs one round trip. If another
   * process wrote first, nothing was written. The group is then decided again with the loaded versions, while the
   * partitions are locked.
   */
  async apply(items: readonly Commit[]): Promise<readonly CommitResult[]> {
    const believed = planGroup(items)
    if (believed) {
      const answer = await this.send(believed, (text, values = []) => this.connections.write(text, values))
      if (answer.done) return believed.results(answer.before)
    }
    return await this.connections.transaction(async (query) => {
      let plan = readVersionsPlan(items)
      let known: Versions = new Map()
      for (let round = 0; round < ROUNDS; round++) {
        const answer = await this.send(plan, query)
        if (answer.done) return plan.results(answer.before)
        known = new Map([...known, ...answer.versions])
        plan = planGroup(items, known)
      }
      throw storeError('store_busy', 'The rows of a commit kept changing. Nothing was written; try again.', {
        details: { applied: 'no' },
      })
    })
  }

  /** Deletes events in batches, only below the head that the same statement reads. */
  async trim(partition: string, before: number): Promise<void> {
    const s = this.options.schema
    for (;;) {
      const [trimmed] = await this.connections.write(
        `WITH part AS (
           SELECT part, floor AS old, least($2, head, floor + ${TRIM_AT_ONCE}) AS floor FROM ${s}.parts WHERE name = $1
         ), gone AS (
           DELETE FROM ${s}.events USING part WHERE events.part = part.part AND seq < part.floor
         )
         UPDATE ${s}.parts SET floor = part.floor FROM part
         WHERE parts.part = part.part AND parts.floor < part.floor RETURNING parts.floor`,
        [partition, before],
      )
      if (!trimmed || Number(trimmed.floor) >= before) return
    }
  }

  /** Replaces events. The partition's row is locked first, so that other commits wait and continue in the new epoch. */
  async rewrite(partition: string, events: readonly LogEvent[]): Promise<void> {
    const s = this.options.schema
    await this.connections.transaction(async (query) => {
      const [found] = await query(`UPDATE ${s}.parts SET epoch = $2 WHERE name = $1 RETURNING part`, [
        partition,
        this.options.newEpoch(),
      ])
      if (!found) return
      await query(
        `UPDATE ${s}.events SET body = other.body FROM unnest($2::bigint[], $3::text[]) AS other (seq, body)
          WHERE events.part = $1 AND events.seq = other.seq`,
        [found.part, events.map(({ seq }) => seq), events.map(({ json }) => json)],
      )
    })
  }

  /** Erases a partition with separate statements, so that each sees what was committed before the lock was acquired. */
  async erase(partition: string): Promise<void> {
    const s = this.options.schema
    await this.connections.transaction(async (query) => {
      const [found] = await query(`SELECT part FROM ${s}.parts WHERE name = $1 FOR UPDATE`, [partition])
      if (!found) return
      const { part } = found
      await query(
        `DELETE FROM ${s}.tags USING ${s}.rows WHERE rows.part = $1 AND tags.tag = ANY (rows.tags) AND tags."row" = rows."row"`,
        [part],
      )
      for (const table of ['rows', 'events', 'parts']) await query(`DELETE FROM ${s}.${table} WHERE part = $1`, [part])
    })
  }

  private async send(plan: Plan, query: Query): Promise<Answer> {
    const index = new Map(plan.parts.map((part, at) => [part, at + 1]))
    const at = ({ part }: { part: PlannedPart }) => index.get(part) ?? 0
    const puts = plan.rows.flatMap((row) => (row.put ? [{ ...row, put: row.put }] : []))
    const wiped = plan.rows.filter((row) => row.wiped)
    const events = plan.parts.flatMap((part) => part.events.map((json, nth) => ({ part, nth: nth + 1, json })))
    const [answer] = await query(this.sql, [
      plan.parts.map(({ name }) => name),
      plan.parts.map(({ create }) => (create ? this.options.newEpoch() : null)),
      plan.parts.map(({ touched, events: { length } }) => (touched ? length : null)),
      plan.rows.map(at),
      plan.rows.map(({ kind }) => kind),
      plan.rows.map(({ id }) => id),
      plan.rows.map(({ want }) => want ?? null),
      puts.map(at),
      puts.map(({ kind }) => kind),
      puts.map(({ id }) => id),
      puts.map(({ grew }) => grew),
      puts.map(({ put }) => put.due ?? null),
      puts.map(({ put }) => tagArray(put.tags ?? [])),
      puts.map(({ put }) => put.data),
      wiped.map(at),
      wiped.map(({ kind }) => kind),
      wiped.map(({ id }) => id),
      events.map(at),
      events.map(({ nth }) => nth),
      events.map(({ json }) => json),
      this.options.author,
      this.options.lockTimeoutMs,
    ])
    if (answer?.done) {
      const epochs = answer.epochs as (string | null)[]
      const heads = answer.heads as (string | null)[]
      return { done: true, before: epochs.map((epoch, nth) => ({ epoch, head: Number(heads[nth] ?? 0) })) }
    }
    const versions = answer?.versions as string[]
    const keys = plan.rows.map(({ part, kind, id }) => rowKey(part.name, kind, id))
    return { done: false, versions: new Map(keys.map((key, nth) => [key, Number(versions[nth])])) }
  }
}

/**
 * Returns a plan that expects an impossible version of every row. It locks the existing partitions, returns the
 * versions of the rows, and writes nothing.
 */
function readVersionsPlan(items: readonly Commit[]): Plan {
  const blind = items.map(({ partition, checks = [], puts = [], deletes = [] }) => {
    const named = [...checks, ...puts, ...deletes]
    return { partition, puts: named.map(({ kind, id }) => ({ kind, id, data: '' })) }
  })
  const plan = planGroup(blind, new Map())
  for (const part of plan.parts) part.create = false
  for (const row of plan.rows) row.want = -1
  return plan
}

/**
 * Returns tags in PostgreSQL's text notation of an array, because PostgreSQL has no arrays of arrays of different
 * lengths.
 */
function tagArray(tags: readonly string[]): string | null {
  if (tags.length === 0) return null
  return `{${[...new Set(tags)].map((tag) => `"${tag.replace(/["\\]/g, '\\$&')}"`).join(',')}}`
}
