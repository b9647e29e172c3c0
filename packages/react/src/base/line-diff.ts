/** Above this many pairs of lines the common ones are not searched for. */
const MOST_PAIRS = 250_000

/** Returns two texts as lines of a diff, each prefixed with `+`, `-` or a space. */
export function lineDiff(before: string, after: string): string[] {
  const old = before.split('\n')
  const next = after.split('\n')
  const whole = [...old.map((line) => `-${line}`), ...next.map((line) => `+${line}`)]
  if (old.length * next.length > MOST_PAIRS) return whole
  // Length of the longest common rest, from each pair of lines on.
  const width = next.length + 1
  const common = new Uint32Array((old.length + 1) * width)
  const at = (i: number, j: number) => common[i * width + j] ?? 0
  for (let i = old.length - 1; i >= 0; i--) {
    for (let j = next.length - 1; j >= 0; j--) {
      common[i * width + j] = old[i] === next[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1))
    }
  }
  const lines: string[] = []
  for (let i = 0, j = 0; i < old.length || j < next.length; ) {
    if (i < old.length && j < next.length && old[i] === next[j]) {
      lines.push(` ${old[i++]}`)
      j++
    } else if (j >= next.length || (i < old.length && at(i + 1, j) >= at(i, j + 1))) lines.push(`-${old[i++]}`)
    else lines.push(`+${next[j++]}`)
  }
  return lines
}
