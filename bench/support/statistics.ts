/** Returns the value below which a share of all values lies: 0.99 is the p99. NaN for an empty list. */
export function quantile(list: readonly number[], share: number): number {
  return list.toSorted((a, b) => a - b)[Math.min(list.length - 1, Math.floor(list.length * share))] ?? Number.NaN
}

/** Between the two in the middle where the list has no middle. NaN of an empty list. */
export function median(list: readonly number[]): number {
  const sorted = list.toSorted((a, b) => a - b)
  const half = sorted.length >> 1
  const upper = sorted[half] ?? Number.NaN
  return sorted.length % 2 === 1 ? upper : ((sorted[half - 1] ?? Number.NaN) + upper) / 2
}

/** The least and the most. */
export const spread = (list: readonly number[]): [number, number] => [Math.min(...list), Math.max(...list)]

/** Each round's own ratio: a slow moment slows both legs of its round, and leaves their ratio. */
export function ratios(ours: readonly number[], theirs: readonly number[]): number[] {
  return ours.map((value, round) => value / (theirs[round] ?? Number.NaN))
}

/** Three digits; all of them from 1,000 on. */
export const digits = (value: number) => (Math.abs(value) >= 999.5 ? Math.round(value) : Number(value.toPrecision(3)))
