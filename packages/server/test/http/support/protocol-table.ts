import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const PROTOCOL = join(import.meta.dirname, '../../../../../PROTOCOL.md')

/** The rows of the table in a section of PROTOCOL.md, as text without its marks; the heading and the rule are left out. */
export function protocolTable(heading: string): string[][] {
  const [, section = ''] = readFileSync(PROTOCOL, 'utf8').split(new RegExp(`^## ${heading}$`, 'm'))
  const lines = [...(section.split(/^## /m)[0] ?? '').matchAll(/^\|(.*)\|$/gm)].map(([, cells = '']) => cells)
  return lines.slice(2).map((cells) => cells.split('|').map((cell) => cell.replaceAll('`', '').trim()))
}
