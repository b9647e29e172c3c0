import { escaped, svg, text } from './svg.ts'

/** One curve: its start and its values. */
export interface Curve {
  name: string
  points: readonly { x: number; y: number }[]
}

export interface Panel {
  title: string
  /** The label of the horizontal axis. */
  xLabel: string
  curves: readonly Curve[]
}

const [WIDTH, HEIGHT] = [300, 220]
const MARGIN = { left: 52, right: 14, top: 30, bottom: 40 }
const COLOURS = ['#0b6e99', '#c2410c', '#15803d', '#7c3aed', '#a16207', '#be185d', '#334155']

/**
 * Panels beside and below each other, both axes logarithmic, as one SVG. All panels share their vertical axis, so that
 * one can be compared with another. Its own background: it is read on light and dark pages.
 */
export function plot(title: string, yLabel: string, panels: readonly Panel[], columns = 3): string {
  const all = panels.flatMap(({ curves }) => curves)
  const names = [...new Set(all.map(({ name }) => name))]
  const colour = (name: string) => COLOURS[names.indexOf(name) % COLOURS.length] ?? 'black'
  const ys = all.flatMap(({ points }) => points.map(({ y }) => y))
  const y = { from: floor10(Math.min(...ys)), to: ceil10(Math.max(...ys)) }
  const rows = Math.ceil(panels.length / columns)
  const [width, height] = [columns * WIDTH + 20, rows * HEIGHT + 70]
  const drawn = panels.map((panel, n) => {
    const at = `translate(${10 + (n % columns) * WIDTH}, ${54 + Math.floor(n / columns) * HEIGHT})`
    return `<g transform="${at}">${draw(panel, y, yLabel, colour)}</g>`
  })
  const legend = names.map((name, n) => {
    const x = 16 + n * 110
    return `<path d="M${x} 40h18" stroke="${colour(name)}" stroke-width="3"/>${text(x + 24, 44, name)}`
  })
  return svg(title, width, height, [...legend, ...drawn])
}

function draw(panel: Panel, y: { from: number; to: number }, yLabel: string, colour: (name: string) => string): string {
  const xs = panel.curves.flatMap(({ points }) => points.map((point) => point.x))
  const x = { from: floor10(Math.min(...xs)), to: ceil10(Math.max(...xs)) }
  const right = WIDTH - MARGIN.right
  const bottom = HEIGHT - MARGIN.bottom
  const px = (value: number) => round(MARGIN.left + share(value, x) * (right - MARGIN.left))
  const py = (value: number) => round(bottom - share(value, y) * (bottom - MARGIN.top))
  const parts = [text(MARGIN.left, 18, panel.title, 'font-weight="600"')]
  for (const tick of decades(y)) {
    parts.push(`<path d="M${MARGIN.left} ${py(tick)}H${right}" stroke="#e5e7eb"/>`)
    parts.push(text(MARGIN.left - 6, py(tick) + 4, short(tick), 'text-anchor="end" fill="#4b5563"'))
  }
  for (const tick of decades(x))
    parts.push(text(px(tick), bottom + 16, short(tick), 'text-anchor="middle" fill="#4b5563"'))
  parts.push(text((MARGIN.left + right) / 2, bottom + 32, panel.xLabel, 'text-anchor="middle" fill="#4b5563"'))
  parts.push(
    `<text transform="translate(12 ${(MARGIN.top + bottom) / 2}) rotate(-90)" text-anchor="middle" fill="#4b5563">${escaped(yLabel)}</text>`,
  )
  for (const { name, points } of panel.curves) {
    const line = points.map((point) => `${px(point.x)},${py(point.y)}`).join(' ')
    parts.push(`<polyline points="${line}" fill="none" stroke="${colour(name)}" stroke-width="2"/>`)
    for (const point of points) {
      const said = `<title>${escaped(`${name}: ${short(point.y)} at ${short(point.x)}`)}</title>`
      parts.push(`<circle cx="${px(point.x)}" cy="${py(point.y)}" r="3" fill="${colour(name)}">${said}</circle>`)
    }
  }
  return parts.join('')
}

const share = (value: number, { from, to }: { from: number; to: number }) =>
  (Math.log10(value) - Math.log10(from)) / (Math.log10(to) - Math.log10(from) || 1)
const floor10 = (value: number) => 10 ** Math.floor(Math.log10(value))
const ceil10 = (value: number) => 10 ** Math.ceil(Math.log10(value))
const round = (value: number) => Math.round(value * 10) / 10

function decades({ from, to }: { from: number; to: number }): number[] {
  const count = Math.round(Math.log10(to) - Math.log10(from))
  return Array.from({ length: count + 1 }, (_, n) => from * 10 ** n)
}

function short(value: number): string {
  if (value >= 1_000_000) return `${round(value / 1_000_000)}M`
  return value >= 10_000 ? `${round(value / 1_000)}k` : `${round(value)}`
}
