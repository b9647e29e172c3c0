import type { Row } from '../../store/port.ts'

/** A session whose settled questions are read in the order of their ids, which is newest first. */
export interface Source {
  partition: string
  /** False for the session of another user, of which only some questions belong to this history. */
  own: boolean
}

interface Unfinished {
  source: Source
  /** The session was read up to this id. */
  lastId: string
  /** Rows up to here are certain, and the next page may begin here. */
  bound: string
}

/** The letters of an interaction id that name its millisecond. */
const TIME = 10

/**
 * Merges the settled questions of many sessions into one page, newest first. It keeps one row more than a page has, and
 * for each session only how far it was read: memory grows with the page, not with the history.
 *
 * A row is certain when every session was read beyond its id. The page ends at the last certain row, so a later page
 * repeats nothing and omits nothing, even if the sessions are read at different speeds.
 */
export class SettledMerge {
  readonly #limit: number
  readonly #unfinished = new Map<string, Unfinished>()
  #rows: Row[] = []

  constructor(limit: number) {
    this.#limit = limit
  }

  /** Adds rows of one session. `lastId` is the last id that was read, also of a row that is not shown; undefined: its end. */
  add(source: Source, rows: readonly Row[], lastId: string | undefined): void {
    if (lastId === undefined) this.#unfinished.delete(source.partition)
    else {
      // A cursor must not contain the id of a question that the user may not see.
      const bound = source.own ? lastId : lastId.slice(0, TIME)
      this.#unfinished.set(source.partition, { source, lastId, bound })
    }
    this.#rows = [...this.#rows, ...rows].sort(byId).slice(0, this.#limit + 1)
  }

  /** The session that must be read further before the page is full. */
  blocking(): Pick<Unfinished, 'source' | 'lastId'> | undefined {
    return this.#certain().length < this.#limit ? this.#behind() : undefined
  }

  /** The page, and the id or the moment after which the next one begins. */
  page(): { rows: Row[]; next: string | undefined } {
    const certain = this.#certain()
    const rows = certain.slice(0, this.#limit)
    const isFull = certain.length > this.#limit || (rows.length === this.#limit && this.#unfinished.size > 0)
    return { rows, next: isFull ? rows.at(-1)!.id : this.#behind()?.bound }
  }

  #certain(): Row[] {
    const behind = this.#behind()
    return behind ? this.#rows.filter(({ id }) => id <= behind.bound) : this.#rows
  }

  /** The unfinished session that was read least far. */
  #behind(): Unfinished | undefined {
    let least: Unfinished | undefined
    for (const one of this.#unfinished.values()) if (!least || one.bound < least.bound) least = one
    return least
  }
}

/** Ids of interactions are ASCII, so this is the order of the store. */
const byId = (one: Row, other: Row) => (one.id < other.id ? -1 : one.id > other.id ? 1 : 0)
