/**
 * The store port: a small transactional kernel that four drivers implement and one suite proves.
 *
 * A *partition* is the unit of a commit: one session's rows and its event log, or one user's remembered approvals. A
 * commit checks row versions, writes rows and appends events, all or nothing. A failed check changes nothing and names the row.
 * Decisions (who won, what happens next) are pure functions above this port, which are repeated if a check failed: a
 * loser reloads and therefore always sees the winner, with every driver.
 */
export interface RowRef {
  partition: string
  kind: string
  id: string
}

/** A stored record as a driver gives it back. */
export interface Row extends RowRef {
  /** Counts the writes of this row, from 1. */
  version: number
  /** JSON text; the driver does not interpret it. */
  data: string
}

/** One row to write, and what must be true of it before. */
export interface Put {
  kind: string
  id: string
  data: string
  /** The version that the row must have; 0: it must not exist; omitted: any version. */
  expect?: number
  /** Milliseconds of the store's clock at which `due(kind)` lists the row; null or omitted takes it off that list. */
  due?: number | null
  /** The row is listed by `byTag(tag)` while it carries it. The put replaces all tags of the row. */
  tags?: readonly string[]
}

/** The changes that a driver applies all or nothing, in one partition. For authors of stores. */
export interface Commit {
  partition: string
  /** Rows that must still have these versions (0: must not exist), without being written. */
  checks?: readonly { kind: string; id: string; version: number }[]
  puts?: readonly Put[]
  deletes?: readonly { kind: string; id: string; expect?: number }[]
  /** Appended to the partition's log in this order; each is the JSON text of one event. */
  events?: readonly string[]
}

/** Whether a commit was done, or which row was not as expected, so that the caller can load and decide again. */
export type CommitResult =
  | {
      ok: true
      epoch: string
      /** Sequence number of the first and last event; head when there were none. */
      firstSeq: number
      lastSeq: number
    }
  /** The first row whose version was another; nothing was written. */
  | { ok: false; conflict: { kind: string; id: string } }

/** An event of a partition's log, at its place in the order. */
export interface LogEvent {
  seq: number
  json: string
}

/** The events that a commit of this process appended, as the log has them now; none for a commit of rows alone. */
export interface Appended {
  epoch: string
  /** Of the first event; the log's last one where there are none. */
  firstSeq: number
  events: readonly string[]
}

/**
 * Receives the partitions of commits. For a partition in `own`, this process made all changes and the entry has all
 * appended events in order, so readers need not query the store. For others, only the store has the new events. A
 * driver whose history may change while a process lives (a replica takes over) leaves `own` empty.
 */
export type StoreListener = (partitions: readonly string[], own: ReadonlyMap<string, readonly Appended[]>) => void

/** A part of a log, with what a reader needs to notice that history is missing. */
export interface LogPage {
  /**
   * Changes when the log lost history (an erase, a failover, a restored backup of a store that knows). '0' for a
   * partition that nothing was ever committed to.
   */
  epoch: string
  /** The last sequence number; 0 for an empty log. */
  head: number
  /** The lowest sequence number that can still be read; head + 1, so 1, for an empty log. */
  floor: number
  events: LogEvent[]
}

/** The port of a store driver. Implement it if no existing driver fits, and run the conformance suite over it. */
export interface Store {
  /** 'memory', 'sqlite', … for messages. */
  readonly name: string
  /** False when a second process cannot see what this one writes. */
  readonly shared: boolean
  /**
   * The location of the rows without secrets: equal for stores of the same rows, absent if unknown. In development a
   * hot reload recreates the store, and finds its Holdpoint by this value.
   */
  readonly place?: string | undefined
  /**
   * Creates or migrates the driver's schema; idempotent. Every other call opens the store first if necessary, so call
   * it only to find out at start whether the store works.
   */
  open(): Promise<void>
  /** Rows in the order asked, with the store's clock; null where there is none. */
  load(refs: readonly RowRef[]): Promise<{ now: number; rows: (Row | null)[] }>
  /** Rows of one kind in one partition, by the UTF-8 bytes of their ids. All of them when there is no limit. */
  list(partition: string, kind: string, options?: { after?: string; limit?: number }): Promise<Row[]>
  /**
   * Rows with a tag, in a stable order, across partitions; 100 by default. `next` continues: a row that has the tag
   * from the first page to the last is returned exactly once, whatever else changes. It is present only if more rows
   * may follow, and reveals no partitions.
   */
  byTag(tag: string, options?: { after?: string; limit?: number }): Promise<{ rows: Row[]; next?: string }>
  /**
   * Rows of a kind that are due (due <= now), earliest first; 100 by default. `nextDue` is the due time of the first
   * row that was not returned: in the past if the limit cut the list, absent if no other row of the kind has one.
   */
  due(kind: string, options?: { limit?: number }): Promise<{ now: number; rows: Row[]; nextDue?: number }>
  /**
   * All or nothing. Concurrent commits may share one transaction (group commit), but an error or conflict of one never
   * fails another. Rejects with a coded error if the commit is not known to be durable; `details.applied` is then 'no'
   * if nothing was written, 'unknown' if the acknowledgment was lost: load again, then decide. One commit names a row
   * once among its puts and deletes. Conflicts are searched in checks, puts, deletes, in this order.
   */
  commit(item: Commit): Promise<CommitResult>
  /** Events from `from` (inclusive) on. One consistent view. */
  readLog(partition: string, options: { from: number; limit: number }): Promise<LogPage>
  /**
   * Rows of some kinds (in the order of `kinds`, then by id; `limit` counts them all together) and the log's last
   * event, of one moment. `head` is null for an empty log only.
   */
  snapshot(
    partition: string,
    kinds: readonly string[],
    options?: { limit?: number },
  ): Promise<{ now: number; epoch: string; head: LogEvent | null; rows: Row[] }>
  /** Drops events before `before`, except the last one: cursors need its seq and its tag. Never rows. */
  trim(partition: string, before: number): Promise<void>
  /**
   * Replaces the text of events that the log still has, all or nothing, and starts a new epoch, so that readers on
   * every node are reset and none continues with the removed text. Events that do not exist are skipped. Meant for
   * erasing names; expensive.
   */
  rewrite(partition: string, events: readonly LogEvent[]): Promise<void>
  /** Removes a partition completely: rows, log, tags. Later commits start a new log with a new epoch. */
  erase(partition: string): Promise<void>
  /**
   * Partitions of commits by any process. A notification is a hint: it may be late, duplicated or lost. A closed store
   * sends none.
   */
  subscribe(listener: StoreListener): () => void
  /** Waits for the commits under way. Every later call rejects with `store_closed`, a second close resolves. */
  close(): Promise<void>
}

/** Thrown by drivers; `code` is one of these. */
export type StoreErrorCode =
  | 'store_unavailable'
  | 'store_busy'
  | 'store_closed'
  | 'store_full'
  | 'store_readonly'
  | 'store_corrupt'
  | 'store_newer'
  | 'store_pool_exhausted'
  /** A key, limit, cursor or payload that no driver could hold: an error of the caller, whatever the rows are. */
  | 'store_invalid'
  /** The SQLite file cannot be created or written where it is to lie. */
  | 'sqlite_readonly_fs'
