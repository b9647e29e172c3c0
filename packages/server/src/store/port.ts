/**
 * The store port: a small transactional kernel with four drivers and one conformance suite.
 *
 * A *partition* is the unit of a commit: one session's rows and its event log, or one user's remembered approvals. A
 * commit checks row versions, writes rows and appends events, all or nothing. A failed check changes nothing and names
 * the row. Decisions are pure functions above this port. If a check fails, the caller loads the rows again and repeats
 * the decision, so the loser of a race always sees the winner, with every driver.
 */
export interface RowRef {
  partition: string
  kind: string
  id: string
}

/** A stored record, as a driver returns it. */
export interface Row extends RowRef {
  /** The number of writes of this row, starting at 1. */
  version: number
  /** JSON text; the driver does not interpret it. */
  data: string
}

/** One row to write, with the version that it must have before. */
export interface Put {
  kind: string
  id: string
  data: string
  /** The version that the row must have. With 0 the row must not exist. If omitted, any version is accepted. */
  expect?: number
  /**
   * When `due(kind)` lists the row, in milliseconds of the store's clock. Null or omitted removes the row from that
   * list.
   */
  due?: number | null
  /** The tags of the row, with which `byTag(tag)` finds it. They replace all earlier tags of the row. */
  tags?: readonly string[]
}

/** The changes that a driver applies all or nothing, in one partition. For authors of stores. */
export interface Commit {
  partition: string
  /** Rows that must have these versions (0: must not exist), but are not written. */
  checks?: readonly { kind: string; id: string; version: number }[]
  puts?: readonly Put[]
  deletes?: readonly { kind: string; id: string; expect?: number }[]
  /** The JSON texts of events to append to the partition's log, in this order. */
  events?: readonly string[]
}

/**
 * Whether a commit succeeded, or which row had an unexpected version, so that the caller can load it and decide again.
 */
export type CommitResult =
  | {
      ok: true
      epoch: string
      /** The sequence numbers of the first and last appended event; both are the head if there were none. */
      firstSeq: number
      lastSeq: number
    }
  /** The first row whose version was not the expected one. Nothing was written. */
  | { ok: false; conflict: { kind: string; id: string } }

/** An event of a partition's log, with its sequence number. */
export interface LogEvent {
  seq: number
  json: string
}

/** The events that a commit of this process appended. A commit that only wrote rows has none. */
export interface Appended {
  epoch: string
  /** The sequence number of the first event, or of the log's last event if none were appended. */
  firstSeq: number
  events: readonly string[]
}

/**
 * Receives the partitions of commits. For a partition in `own`, this process made all changes and the entry has all
 * appended events in order, so readers need not query the store. For others, only the store has the new events. A
 * driver whose history may change while a process lives (a replica takes over) leaves `own` empty. It may still say in
 * `mine` that this process made all changes of a partition, by the lists of events that the commits were given.
 */
export type StoreListener = (
  partitions: readonly string[],
  own: ReadonlyMap<string, readonly Appended[]>,
  mine?: ReadonlyMap<string, readonly (readonly string[] | undefined)[]>,
) => void

/** A part of a log, with the facts by which a reader detects missing history. */
export interface LogPage {
  /**
   * Changes when the log lost history: by an erase, a failover, or a restored backup that the store detects. It is '0'
   * if nothing was ever committed to the partition.
   */
  epoch: string
  /** The last sequence number; 0 for an empty log. */
  head: number
  /** The lowest sequence number that can still be read; 1 for an empty log. */
  floor: number
  events: LogEvent[]
}

/** The port of a store driver. Implement it if no existing driver fits, and run the conformance suite over it. */
export interface Store {
  /** The name of the driver for messages, such as 'memory' or 'sqlite'. */
  readonly name: string
  /** False if another process cannot read what this one writes. */
  readonly shared: boolean
  /**
   * The location of the rows without secrets: equal for stores of the same rows, absent if unknown. In development a
   * hot reload recreates the store, and finds its Holdpoint by this value.
   */
  readonly place?: string | undefined
  /**
   * Creates or migrates the driver's schema; idempotent. Every other call opens the store first if necessary, so call
   * it only to check at startup that the store works.
   */
  open(): Promise<void>
  /** Returns rows in the order of `refs`, with the store's time. Missing rows are null. */
  load(refs: readonly RowRef[]): Promise<{ now: number; rows: (Row | null)[] }>
  /**
   * Returns rows of one kind in one partition, in the order of the UTF-8 bytes of their ids. Returns all of them
   * without a limit.
   */
  list(partition: string, kind: string, options?: { after?: string; limit?: number }): Promise<Row[]>
  /**
   * Returns rows with a tag in a stable order, across partitions; 100 by default. Pass `next` as `after` to continue. A
   * row that has the tag during all pages is returned exactly once, even if other rows change. `next` is present only
   * if more rows may follow, and does not reveal partitions.
   */
  byTag(tag: string, options?: { after?: string; limit?: number }): Promise<{ rows: Row[]; next?: string }>
  /**
   * Returns rows of a kind that are due (due <= now), earliest first; 100 by default. `nextDue` is the due time of the
   * first row that was not returned: in the past if the limit cut the list, absent if no other row of the kind has one.
   */
  due(kind: string, options?: { limit?: number }): Promise<{ now: number; rows: Row[]; nextDue?: number }>
  /**
   * Applies a commit, all or nothing. Concurrent commits may share one transaction (group commit), but an error or
   * conflict of one never fails another. Rejects with a coded error if the commit is not known to be durable.
   * `details.applied` is then 'no' if nothing was written, or 'unknown' if the acknowledgment was lost; in both cases
   * load the rows again before you decide. A commit may name each row once among its puts and deletes. Conflicts are
   * searched in checks, puts and deletes, in this order.
   */
  commit(item: Commit): Promise<CommitResult>
  /** Returns events from the sequence number `from` on, inclusive, as one consistent view. */
  readLog(partition: string, options: { from: number; limit: number }): Promise<LogPage>
  /**
   * Returns rows of some kinds and the log's last event, as one consistent view. Rows are in the order of `kinds`, then
   * by id; `limit` counts all of them together. `head` is null only for an empty log.
   */
  snapshot(
    partition: string,
    kinds: readonly string[],
    options?: { limit?: number },
  ): Promise<{ now: number; epoch: string; head: LogEvent | null; rows: Row[] }>
  /**
   * Deletes events before `before`, except the log's last event, because cursors need its seq and tag. Rows are not
   * deleted.
   */
  trim(partition: string, before: number): Promise<void>
  /**
   * Replaces the text of events that the log still has, all or nothing. Starts a new epoch, so that readers on all
   * nodes are reset and none keeps the removed text. Events that do not exist are skipped. Meant for erasing names;
   * expensive.
   */
  rewrite(partition: string, events: readonly LogEvent[]): Promise<void>
  /** Removes a partition completely: rows, log, tags. Later commits start a new log with a new epoch. */
  erase(partition: string): Promise<void>
  /**
   * Notifies of the partitions of commits by any process. A notification is a hint: it may be late, duplicated or lost.
   * A closed store sends none.
   */
  subscribe(listener: StoreListener): () => void
  /**
   * Closes the store after all pending commits. Every later call rejects with `store_closed`; a second `close`
   * resolves.
   */
  close(): Promise<void>
}

/** The codes of errors that drivers throw. */
export type StoreErrorCode =
  | 'store_unavailable'
  | 'store_busy'
  | 'store_closed'
  | 'store_full'
  | 'store_readonly'
  | 'store_corrupt'
  | 'store_newer'
  | 'store_pool_exhausted'
  /** The caller passed a key, limit, cursor or payload that no driver can store. */
  | 'store_invalid'
  /** The SQLite file cannot be created or written at its path. */
  | 'sqlite_readonly_fs'
