import type { Commit, CommitResult, Put } from '../port.ts'
import { compareKeys, NO_EPOCH } from '../shared/limits.ts'
import { expectations } from '../shared/version-check.ts'

export interface PlannedPart {
  name: string
  /** True if rows or events are written, so that the partition must be created if necessary. */
  create: boolean
  /** True if anything is written, including deletes. */
  touched: boolean
  events: string[]
}

export interface PlannedRow {
  part: PlannedPart
  kind: string
  id: string
  /** The version that the plan assumes; undefined if every version is accepted. */
  want: number | undefined
  /** True if an existing row is deleted first. */
  wiped: boolean
  /** The row after the plan, and how often it was written since the start or the deletion. */
  put: Put | undefined
  grew: number
}

/** The decided outcome of a group of commits. It is valid only if every row has the version in `want`. */
export interface Plan {
  /** Sorted by the bytes of their names. All processes lock in this order, so there is no deadlock. */
  parts: PlannedPart[]
  rows: PlannedRow[]
  /** Returns the results of the commits, given the epochs and heads of the partitions before the group. */
  results(before: readonly { epoch: string | null; head: number }[]): CommitResult[]
}

/** Versions of rows as they were found, by `rowKey`. */
export type Versions = ReadonlyMap<string, number>

export function rowKey(partition: string, kind: string, id: string): string {
  return `${partition}\0${kind}\0${id}`
}

interface Entry extends PlannedRow {
  /** The version that later commits of the group see. Undefined until a commit expects one. */
  version: number | undefined
}

/**
 * Decides a group of commits without a query, by assuming the version that the first of them expects of each row. The
 * database checks the assumptions and writes, in one round trip. Returns undefined if a commit expects a version of a
 * row that an earlier commit of the group wrote unconditionally. The caller must then load the versions and pass them
 * as `known`.
 */
export function planGroup(items: readonly Commit[], known: Versions): Plan
export function planGroup(items: readonly Commit[], known?: Versions): Plan | undefined
export function planGroup(items: readonly Commit[], known?: Versions): Plan | undefined {
  const parts = new Map<string, PlannedPart>()
  const rows = new Map<string, Entry>()

  const entry = (part: PlannedPart, kind: string, id: string): Entry => {
    const key = rowKey(part.name, kind, id)
    let found = rows.get(key)
    if (!found) {
      const version = known && (known.get(key) ?? 0)
      found = { part, kind, id, want: version, version, wiped: false, put: undefined, grew: 0 }
      rows.set(key, found)
    }
    return found
  }

  const answers: ((before: { epoch: string | null; head: number }) => CommitResult)[] = []
  const partOf: PlannedPart[] = []
  for (const item of items) {
    const part = parts.get(item.partition) ?? { name: item.partition, create: false, touched: false, events: [] }
    parts.set(item.partition, part)
    partOf.push(part)

    let conflict: { kind: string; id: string } | undefined
    for (const { kind, id, version } of expectations(item)) {
      const row = entry(part, kind, id)
      if (row.version === undefined) {
        if (row.put) return undefined
        row.want = version
        row.version = version
      }
      if (row.version !== version) {
        conflict = { kind, id }
        break
      }
    }
    if (conflict) {
      const result: CommitResult = { ok: false, conflict }
      answers.push(() => result)
      continue
    }

    for (const put of item.puts ?? []) {
      const row = entry(part, put.kind, put.id)
      row.put = put
      row.grew++
      if (row.version !== undefined) row.version++
    }
    for (const { kind, id } of item.deletes ?? []) {
      Object.assign(entry(part, kind, id), { put: undefined, grew: 0, wiped: true, version: 0 })
    }
    const count = item.events?.length ?? 0
    const offset = part.events.length
    part.events.push(...(item.events ?? []))
    if (count > 0 || item.puts?.length) part.create = true
    if (part.create || item.deletes?.length) part.touched = true
    answers.push(({ epoch, head }) => ({
      ok: true,
      epoch: epoch ?? NO_EPOCH,
      firstSeq: head + offset + (count > 0 ? 1 : 0),
      lastSeq: head + offset + count,
    }))
  }

  const sorted = [...parts.values()].sort((a, b) => compareKeys(a.name, b.name))
  const index = new Map(sorted.map((part, at) => [part, at]))
  return {
    parts: sorted,
    rows: [...rows.values()],
    results: (before) =>
      answers.map((answer, at) =>
        answer(before[index.get(partOf[at] as PlannedPart) ?? -1] ?? { epoch: null, head: 0 }),
      ),
  }
}
