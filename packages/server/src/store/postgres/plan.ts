import type { Commit, CommitResult, Put } from '../port.ts'
import { compareKeys, NO_EPOCH } from '../shared/limits.ts'
import { expectations } from '../shared/version-check.ts'

export interface PlannedPart {
  name: string
  /** Rows or events are written, so it must exist afterwards. */
  create: boolean
  /** Something is written, if only a delete. */
  touched: boolean
  events: string[]
}

export interface PlannedRow {
  part: PlannedPart
  kind: string
  id: string
  /** The version that the plan assumes; undefined if every version is accepted. */
  want: number | undefined
  /** Existing rows are deleted first. */
  wiped: boolean
  /** The row after the plan, and how much its version grew since the start or the deletion. */
  put: Put | undefined
  grew: number
}

/** One group of commits, decided; true if every row has the version that it wants. */
export interface Plan {
  /** By the bytes of their names: all processes lock in this order, so there is no deadlock. */
  parts: PlannedPart[]
  rows: PlannedRow[]
  /** The answers, given what the partitions were at the start. */
  results(before: readonly { epoch: string | null; head: number }[]): CommitResult[]
}

/** Versions of rows as they were found, by `rowKey`. */
export type Versions = ReadonlyMap<string, number>

export function rowKey(partition: string, kind: string, id: string): string {
  return `${partition}\0${kind}\0${id}`
}

interface Entry extends PlannedRow {
  /** As later commits of the group see it; undefined before the first mention. */
  version: number | undefined
}

/**
 * Decides a group of commits without a query, by assuming the version that the first of them expects of each row. The
 * database checks the assumptions and writes, in one round trip. Undefined if a commit expects a version of a row that
 * another one of the group has just written unconditionally: then the versions must be loaded, and `known` has all of
 * them.
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
