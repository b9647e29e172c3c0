/**
 * The result format of every benchmark, from which one table is built. A bench passes its results to `report()`, whose
 * last line is a `Report` as JSON.
 */
export interface Report {
  /** The file below `bench/`, without `.bench.ts`: `fanout/storm`. */
  bench: string
  /** One line: the number and size of the rounds, and the peers of Holdpoint in them. */
  about: string
  results: readonly Result[]
  /** All other measurements, title → table, for readers who doubt a result. */
  rows: Readonly<Record<string, readonly object[]>>
}

/** One figure, and what it is compared with; all of them from one run, in one unit. */
export interface Result {
  /**
   * Names the figure within its bench. It must not change, because documents pick figures by it: `cpu`, `sqlite-p99`.
   */
  id: string
  /** The scenario, for a reader who does not know the code: `1 event → 1,000 SSE clients, on disk before it leaves`. */
  scenario: string
  /** The measured quantity: `CPU a delivery`, `answer → resumed, p99`. */
  figure: string
  /** `ms`, `KiB`, `a second`; of a ratio, to what: `× a bare write()`. Empty for a count. */
  unit: string
  better: 'lower' | 'higher'
  /** Holdpoint's: the median of all rounds, unless `figure` says p99. Of ratios: the median of each round's own. */
  value: number
  /** The least and the most of the rounds. */
  spread?: readonly [number, number]
  /** The target for `value`. A figure without one is informative only. */
  target?: number
  /** The values of other libraries, each set up as its documentation recommends. */
  peers?: readonly Peer[]
  /** The value of the kernel, the disk or the parser alone, which is the physical limit. */
  limit?: { name: string; value: number }
  /** The reason for a missed target: a sentence with a measured figure. Shown only then. */
  why?: string
}

/** The figure of another library. */
export interface Peer {
  /** The package, or the pattern that people write by hand. */
  name: string
  /** As installed (`versionOf`); a pattern has none. */
  version?: string
  value: number
}

/** Does the figure meet its target? Undefined where there is none. */
export function met({ better, value, target }: Result): boolean | undefined {
  if (target === undefined) return undefined
  return better === 'lower' ? value <= target : value >= target
}
