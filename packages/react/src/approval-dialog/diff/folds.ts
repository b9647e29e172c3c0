/** Unchanged lines that stay visible beside a change. */
const KEEP = 3
/** Shorter runs are not folded: the button would take as much room. */
const SHORTEST = 4
/** Lines of one hunk that are visible before the rest is folded. */
const LINES = 60
/** Lines of one diff after which further files start folded. */
const FILE_LINES = 200

/** A part of a hunk: lines that are visible, or a fold that shows its lines when it is opened. */
export interface Piece {
  readonly from: number
  readonly to: number
  readonly fold?: 'unchanged' | 'rest'
}

/**
 * Divides a hunk, given by the signs of its lines. Long runs of unchanged lines are folded, and so are lines beyond a
 * limit.
 */
export function piecesOf(signs: readonly string[]): Piece[] {
  const isNear = (at: number) => signs.slice(Math.max(0, at - KEEP), at + KEEP + 1).some((sign) => sign !== ' ')
  const pieces: Piece[] = []
  const end = signs.length
  for (let from = 0, to = 0, room = LINES; from < end; from = to) {
    const near = isNear(from)
    while (to < end && isNear(to) === near) to++
    if (!near && to - from >= SHORTEST) pieces.push({ from, to, fold: 'unchanged' })
    else {
      const cut = from + room
      if (to > cut && end - cut >= SHORTEST) {
        if (room > 0) pieces.push({ from, to: cut })
        return [...pieces, { from: cut, to: end, fold: 'rest' }]
      }
      room -= to - from
      pieces.push({ from, to })
    }
  }
  return pieces
}

/** Returns which files of a diff start folded: those far below the first one. */
export function foldedFiles(files: readonly { readonly hunks: readonly { readonly lines: readonly string[] }[] }[]) {
  let before = 0
  return files.map(({ hunks }) => {
    const isFolded = before > FILE_LINES
    before += hunks.reduce((sum, { lines }) => sum + Math.min(lines.length, LINES), 4)
    return isFolded
  })
}
