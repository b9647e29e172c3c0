import { bars } from './bars.ts'
import type { Headline } from './headlines.ts'
import type { Result } from './result.ts'
import { circumstances, type Run } from './run.ts'
import { cells, markdownTable } from './table.ts'

const BETWEEN = /(<!-- figures: begin[^>]*-->\n)[\s\S]*?(<!-- figures: end -->)/

/** A document with new figures between its markers. */
export function withFigures(document: string, figures: string): string {
  if (!BETWEEN.test(document)) throw new Error('there is no <!-- figures: begin --> … <!-- figures: end --> in it')
  return document.replace(BETWEEN, (_, begin, end) => `${begin}\n${figures}\n\n${end}`)
}

/** The short table of the front page. */
export function headlineTable(run: Run, headlines: readonly Headline[]): string {
  const rows = headlines.map(({ bench, id, what }) => {
    const result = found(run, bench, id)
    if (!result) return `| ${what} | not measured yet | | |`
    const { ours, target, limit, peers, met } = cells(result)
    const beside = [peers, limit].filter(Boolean).join(', ')
    const verdict = met === '' ? '' : `${target}: ${met === 'yes' ? 'met' : 'missed'}`
    return `| ${what} | ${ours} | ${beside} | ${verdict} |`
  })
  return [
    '| | Holdpoint | beside it, in the same run | target |',
    '|---|---|---|---|',
    ...rows,
    '',
    circumstances(run),
  ].join('\n')
}

/** The whole table. */
export function wholeTable(run: Run): string {
  return `${markdownTable(run.benches)}\n\n${circumstances(run)}`
}

/** The plot of the front page's figures. */
export function headlinePlot(run: Run, headlines: readonly Headline[]): string {
  return bars(
    'Holdpoint, others, and what the machine does at best',
    headlines.map(({ bench, id }) => found(run, bench, id)).filter((result) => result?.peers !== undefined) as Result[],
  )
}

function found({ benches }: Run, bench: string, id: string): Result | undefined {
  return benches.find((one) => one.bench === bench)?.results?.find((one) => one.id === id)
}
