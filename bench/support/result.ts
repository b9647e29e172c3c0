/**
 * What every benchmark says, in one format, so that one table can be made of all of them. A bench hands its results to
 * `report()`, whose last line is a `Report` as JSON.
 */
export interface Report {
  /** The file below `bench/`, without `.bench.ts`: `fanout/storm`. */
  bench: string
  /** One line: how many rounds of what size, and what stands beside Holdpoint in them. */
  about: string
  results: readonly Result[]
  /** Everything else that was measured: title → table. Kept for whoever doubts a result. */
  rows: Readonly<Record<string, readonly object[]>>
}

/** One figure, and what it is compared with; all of them from one run, in one unit. */
export interface Result {
  /** Names the figure within its bench, for ever: documents pick figures by it. `cpu`, `sqlite-p99`. */
  id: string
  /** What is done, for a reader who has not seen the code: `1 event → 1,000 SSE clients, on disk before it leaves`. */
  scenario: string
  /** What of it is counted: `CPU a delivery`, `answer → resumed, p99`. */
  figure: string
  /** `ms`, `KiB`, `a second`; of a ratio, to what: `× a bare write()`. Empty for a count. */
  unit: string
  better: 'lower' | 'higher'
  /** Holdpoint's: the median of all rounds, unless `figure` says p99. Of ratios: the median of each round's own. */
  value: number
  /** The least and the most of the rounds. */
  spread?: readonly [number, number]
  /** What `value` must not be worse than. A figure without one is there for information. */
  target?: number
  /** What others need for the same, each set up as its own documents say. */
  peers?: readonly Peer[]
  /** What the kernel, the disk or the parser needs by itself: nobody can be better. */
  limit?: { name: string; value: number }
  /** What bounds it where the target is missed: a sentence with a measured figure. Shown only then. */
  why?: string
}

/** Somebody else's figure. */
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
