/** The value that a share of all values lies below: 0.5 is the median, 0.99 the p99. NaN of an empty list. */
export function quantile(list: readonly number[], share: number): number {
  return list.toSorted((a, b) => a - b)[Math.min(list.length - 1, Math.floor(list.length * share))] ?? Number.NaN
}

export const median = (list: readonly number[]) => quantile(list, 0.5)

/** The least and the most. */
export const spread = (list: readonly number[]): [number, number] => [Math.min(...list), Math.max(...list)]

/** Each round's own ratio: a slow moment slows both legs of its round, and leaves their ratio. */
export function ratios(ours: readonly number[], theirs: readonly number[]): number[] {
  return ours.map((value, round) => value / (theirs[round] ?? Number.NaN))
}

/** Three digits; all of them from 1,000 on. */
export const digits = (value: number) => (Math.abs(value) >= 999.5 ? Math.round(value) : Number(value.toPrecision(3)))
