/** A drawing with its own background: it is read on light and dark pages. */
export function svg(title: string, width: number, height: number, parts: readonly string[]): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" font-family="system-ui, sans-serif" font-size="12" role="img" aria-label="${escaped(title)}">
<rect width="100%" height="100%" fill="#ffffff"/>
${text(16, 22, title, 'font-size="15" font-weight="600"')}
${parts.join('\n')}
</svg>
`
}

export const text = (x: number, y: number, value: string, more = '') =>
  `<text x="${x}" y="${y}" ${more}>${escaped(value)}</text>`

export const escaped = (value: string) => value.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`)
