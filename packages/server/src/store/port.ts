/**
 * The store port: a small transactional kernel that four drivers implement and one suite proves.
 *
 * A *partition* is what commits together: one session's rows and its event log, or one user's grants. A commit checks
 * row versions, writes rows and appends events, all or nothing; a check that fails changes nothing and says which row.
 * Decisions (who won, what happens next) are pure functions above this port, retried when a check failed: a loser
 * reloads and therefore always learns who won, on every driver, by construction.
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
  /** JSON text; the driver never looks inside. */
  data: string
}

/** One row to write, and what must be true of it before. */
export interface Put {
  kind: string
  id: string
  data: string
  /** The version that the row must have; 0: it must not exist; omitted: whatever it is. */
  expect?: number
  /** Milliseconds of the store's clock at which `due(kind)` lists the row; null or omitted takes it off that list. */
  due?: number | null
  /** The row is listed by `byTag(tag)` while it carries it. The put replaces all tags of the row. */
  tags?: readonly string[]
}

/** What a driver does all or nothing, in one partition. For authors of stores. */
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

/** What a commit of this process appended, as it stands in the log now; a commit of rows alone appended nothing. */
export interface Appended {
  epoch: string
  /** Of the first event; the log's last one where there are none. */
  firstSeq: number
  events: readonly string[]
}

/**
 * Hears which partitions something was committed to. For a partition in `own` that was this process alone, and there is
 * all that it appended, in order: readers need not ask the store for it. Of any other one only the store knows what is
 * new. A driver whose history may change while a process lives (a replica takes over) leaves `own` empty.
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

/** What a store driver implements. Write one when none of the drivers fits, and run the conformance suite over it. */
export interface Store {
  /** 'memory', 'sqlite', … for messages. */
  readonly name: string
  /** False when a second process cannot see what this one writes. */
  readonly shared: boolean
  /**
   * Where the rows are, without secrets: equal for stores that keep the same ones, absent where that cannot be told. In
   * development a hot reload makes the store anew, and finds its Holdpoint by it.
   */
  readonly place?: string | undefined
  /**
   * Creates or migrates what the driver needs; idempotent. Every other call opens the store first if nothing else did, so
   * calling it is for those who want to know at start that the store works.
   */
  open(): Promise<void>
  /** Rows in the order asked, with the store's clock; null where there is none. */
  load(refs: readonly RowRef[]): Promise<{ now: number; rows: (Row | null)[] }>
  /** Rows of one kind in one partition, by the UTF-8 bytes of their ids. All of them when there is no limit. */
  list(partition: string, kind: string, options?: { after?: string; limit?: number }): Promise<Row[]>
  /**
   * Rows that carry a tag, in a stable order, across partitions; 100 unless told. `next` continues: a row that carries
   * the tag from the first page to the last is seen exactly once, whatever else changes. It is there only when more
   * may follow; it says nothing about partitions.
   */
  byTag(tag: string, options?: { after?: string; limit?: number }): Promise<{ rows: Row[]; next?: string }>
  /**
   * Rows of a kind whose time has come (due <= now), earliest first; 100 unless told. `nextDue` is the due time of the
   * first row that was not returned: in the past when the limit cut, absent when no other row of the kind has one.
   */
  due(kind: string, options?: { limit?: number }): Promise<{ now: number; rows: Row[]; nextDue?: number }>
  /**
   * All or nothing. Concurrent commits may share one transaction (group commit), but an error or conflict of one never
   * fails another. Rejects with a coded error when it is not known to be durable; `details.applied` is then 'no' when
   * nothing was written, 'unknown' when the acknowledgment was lost: load again, then decide. One commit names a row
   * once among its puts and deletes. Conflicts are looked for in checks, puts, deletes, in this order.
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
   * Puts other text in the place of events that the log still has, all or nothing, and gives it another epoch: whoever
   * reads it begins anew, on every node, and nobody goes on with what was taken away. Events that are not there are
   * passed over. Made for erasing names; not cheap.
   */
  rewrite(partition: string, events: readonly LogEvent[]): Promise<void>
  /** Drops everything of a partition: rows, log, tags. What is committed afterwards is a new log of a new epoch. */
  erase(partition: string): Promise<void>
  /**
   * Partitions that something was committed to, by whatever process. A hint: it may be late, doubled or lost. On a
   * closed store it never calls.
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
  /** A key, limit, cursor or payload that no driver could hold; the caller's mistake, whatever the rows are. */
  | 'store_invalid'
  /** The SQLite file cannot be created or written where it is to lie. */
  | 'sqlite_readonly_fs'
