import type { Commit, Row, RowRef } from '../port.ts'
import { storeError } from '../shared/errors.ts'
import type { RedisClient, RedisWrites } from './connection.ts'
import { ENTRY_GRACE_MS, type Entry, entryMember, madeAt, readMember, readReplaced, type StoredRow } from './entries.ts'
import type { RedisKeys } from './keys.ts'
import type { ServerClock } from './server-clock.ts'

/** The number of entries after the due ones that are also read, in case the first ones are not valid. */
const LOOK_AHEAD = 4

type Loaded = (StoredRow | null)[]

/** The index entries of a row that is about to be written. */
export interface IndexEntry {
  key: string
  score: number
  member: string
}

/** The two lists across partitions: by tag and by due time. `Entry` explains why they may contain too many entries. */
export class RedisLists {
  private readonly client: RedisClient
  private readonly writes: RedisWrites
  private readonly names: RedisKeys
  private readonly clock: ServerClock
  private readonly load: (refs: readonly RowRef[]) => Promise<Loaded>

  constructor(
    client: RedisClient,
    writes: RedisWrites,
    names: RedisKeys,
    clock: ServerClock,
    load: (refs: readonly RowRef[]) => Promise<Loaded>,
  ) {
    this.clock = clock
    this.client = client
    this.writes = writes
    this.names = names
    this.load = load
  }

  /** Returns the entries that must be in the lists before the commit. */
  entriesOf({ partition, puts = [] }: Commit, nonce: string): IndexEntry[] {
    return puts.flatMap(({ kind, id, due, tags }) => {
      const member = entryMember({ partition, kind, id, nonce })
      const named = [...new Set(tags)].map((tag) => ({ key: this.names.tag(tag), score: 0, member }))
      return typeof due === 'number' ? [...named, { key: this.names.due(kind), score: due, member }] : named
    })
  }

  /** Removes the entries of replaced rows after the commit. If this fails, readers remove them later. */
  async forget(partition: string, replaced: readonly string[]): Promise<void> {
    await Promise.all(
      readReplaced(partition, replaced).flatMap(({ member, kind, due, tags }) => [
        ...tags.map((tag) => this.writes.remove(this.names.tag(tag), member)),
        ...(due ? [this.writes.remove(this.names.due(kind), member)] : []),
      ]),
    )
  }

  async byTag(tag: string, after: string | undefined, limit: number): Promise<{ rows: Row[]; next?: string }> {
    const key = this.names.tag(tag)
    const rows: Row[] = []
    let from = after === undefined ? '-' : `(${readCursor(after)}`
    for (;;) {
      const members = await this.client.zrangebylex(key, from, '+', 'LIMIT', 0, limit + 1)
      const { found } = await this.current(key, members)
      for (const { row, entry } of found) {
        rows.push(row)
        if (rows.length === limit) return { rows, next: writeCursor(entry) }
      }
      if (members.length <= limit) return { rows }
      from = `(${members.at(-1)}`
    }
  }

  async due(kind: string, now: number, limit: number): Promise<{ rows: Row[]; nextDue?: number }> {
    const key = this.names.due(kind)
    const rows: Row[] = []
    for (let offset = 0; ; ) {
      const page = await this.client.zrange(key, String(offset), String(offset + limit), 'WITHSCORES')
      const listed = page.filter((_, index) => index % 2 === 0)
      const timeOf = (index: number) => Number(page[index * 2 + 1])
      // Most rows of a list are not due yet, and of those only the first one is needed, for `nextDue`.
      const come = listed.filter((_, index) => timeOf(index) <= now).length
      const members = listed.slice(0, come + LOOK_AHEAD)
      const { found, removed } = await this.current(key, members)
      for (const { row, index } of found) {
        if (timeOf(index) > now || rows.length === limit) return { rows, nextDue: timeOf(index) }
        rows.push(row)
      }
      if (members.length === listed.length && listed.length <= limit) return { rows }
      offset += members.length - removed
    }
  }

  /** Returns the rows of valid entries, and removes invalid entries that are old enough. */
  private async current(key: string, members: readonly string[]) {
    const entries = members.map(readMember)
    const loaded = await this.load(entries)
    const stale: string[] = []
    const found: { row: Row; entry: Entry; index: number }[] = []
    entries.forEach((entry, index) => {
      const { partition, kind, id, nonce } = entry
      const stored = loaded[index]
      if (stored?.nonce === nonce) {
        found.push({ row: { partition, kind, id, version: stored.version, data: stored.data }, entry, index })
      } else if (this.clock.now() - madeAt(nonce) > ENTRY_GRACE_MS) stale.push(members[index] ?? '')
    })
    if (stale.length > 0) await this.client.zrem(key, ...stale)
    return { found, removed: stale.length }
  }
}

/**
 * Returns a cursor that points behind all entries of a row (`~` sorts after every nonce), so that a row that changes
 * between two pages does not appear twice.
 */
function writeCursor({ partition, kind, id }: Entry): string {
  return `r.${Buffer.from([partition, kind, id, '~'].join('\0')).toString('base64url')}`
}

/** Reads a page cursor, which may come from outside. */
function readCursor(after: string): string {
  if (typeof after !== 'string') return refuse()
  const member = Buffer.from(after.slice(2), 'base64url').toString()
  return member.split('\0').length === 4 && after === writeCursor(readMember(member)) ? member : refuse()
}

function refuse(): never {
  throw storeError('store_invalid', 'This page cursor is not one that byTag() returned. Begin again without it.')
}
