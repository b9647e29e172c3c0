import type { Result } from './result.ts'
import { escaped, svg, text } from './svg.ts'
import { byValue, number, withUnit } from './table.ts'

const [WIDTH, LABELS, VALUES, BAR, HEAD, GAP] = [760, 230, 90, 20, 26, 18]
const COLOURS = { ours: '#0b6e99', peer: '#9ca3af', limit: '#15803d', target: '#c2410c' }

/** Holdpoint, others and the physical limit as bars from zero, a panel for each figure; its target is a dashed line. */
export function bars(title: string, results: readonly Result[]): string {
  const compared = results.filter(({ peers, limit, target }) => peers?.length || limit || target)
  const parts: string[] = []
  let y = 40
  for (const result of compared) {
    const { drawn, height } = panel(result)
    parts.push(`<g transform="translate(16, ${y})">${drawn}</g>`)
    y += height + GAP
  }
  return svg(title, WIDTH, y, parts)
}

function panel(result: Result): { drawn: string; height: number } {
  const { scenario, figure, unit, value, target, limit, peers = [], better } = result
  const all = [
    { name: 'Holdpoint', value, colour: COLOURS.ours },
    ...byValue(result, peers).map((peer) => ({
      name: peer.version ? `${peer.name} ${peer.version}` : peer.name,
      value: peer.value,
      colour: COLOURS.peer,
    })),
    ...(limit ? [{ ...limit, colour: COLOURS.limit }] : []),
  ]
  const most = Math.max(target ?? 0, ...all.map((one) => one.value)) || 1
  const width = (of: number) => Math.round((Math.max(0, of) / most) * (WIDTH - LABELS - VALUES - 32) * 10) / 10
  const rows = all.map((one, n) => {
    const y = HEAD + n * BAR
    const bar = `<rect x="${LABELS}" y="${y}" width="${Math.max(1, width(one.value))}" height="${BAR - 5}" fill="${one.colour}"/>`
    const said = number(one.value)
    return [
      text(LABELS - 8, y + 12, shortened(one.name), 'text-anchor="end"'),
      `<g><title>${escaped(`${one.name}: ${withUnit(one.value, unit)}`)}</title>${bar}</g>`,
      text(LABELS + Math.max(1, width(one.value)) + 6, y + 12, said, 'fill="#4b5563"'),
    ].join('')
  })
  const height = HEAD + all.length * BAR + (target === undefined ? 0 : 14)
  const parts = [
    text(0, 14, shortened(`${scenario}: ${figure}${unit && `, ${unit}`}`, 120), 'font-weight="600"'),
    ...rows,
  ]
  if (target !== undefined) {
    const x = LABELS + width(target)
    const bottom = HEAD + all.length * BAR
    parts.push(`<path d="M${x} ${HEAD - 4}V${bottom}" stroke="${COLOURS.target}" stroke-dasharray="4 3"/>`)
    const said = `target ${better === 'lower' ? '≤' : '≥'} ${number(target)}`
    parts.push(text(x, bottom + 12, said, `text-anchor="middle" fill="${COLOURS.target}"`))
  }
  return { drawn: parts.join(''), height }
}

const shortened = (value: string, most = 36) => (value.length > most ? `${value.slice(0, most - 1)}…` : value)
