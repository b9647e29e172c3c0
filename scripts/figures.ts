import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { headlinePlot, headlineTable, wholeTable, withFigures } from '../bench/support/figures.ts'
import { HEADLINES } from '../bench/support/headlines.ts'
import { merged, type Run } from '../bench/support/run.ts'
import type { Ran } from './run.ts'

/**
 * Writes the figures in README.md and bench/README.md, and the plot between them, from bench/measured.json. With
 * `--from bench/results/results.json` what a run measured is first stated there.
 */
const ROOT = join(import.meta.dirname, '..')
const MEASURED = join(ROOT, 'bench/measured.json')

const read = (file: string) => readFileSync(join(ROOT, file), 'utf8')
const parsed = (file: string): Run => JSON.parse(readFileSync(file, 'utf8'))

/** File → what it says when it says what was measured. */
export function figures(run = parsed(MEASURED)): Map<string, string> {
  return new Map([
    ['README.md', withFigures(read('README.md'), headlineTable(run, HEADLINES))],
    ['bench/README.md', withFigures(read('bench/README.md'), wholeTable(run))],
    ['docs/images/figures.svg', headlinePlot(run, HEADLINES)],
  ])
}

/** Do the documents say what was measured? */
export async function checkFigures(): Promise<Ran> {
  const stale = [...figures()].filter(([file, text]) => !existsSync(join(ROOT, file)) || read(file) !== text)
  const output = stale.map(([file]) => file).join('\n')
  return { ok: output === '', output: `${output}\nnot what bench/measured.json says: run \`npx -y pnpm@12 figures\`` }
}

if (import.meta.main) {
  const { from } = parseArgs({ options: { from: { type: 'string' } } }).values
  if (from) {
    const before = existsSync(MEASURED) ? parsed(MEASURED) : undefined
    const isThere = ({ bench }: { bench: string }) => existsSync(join(ROOT, 'bench', `${bench}.bench.ts`))
    const { machine, benches } = merged(before, parsed(from))
    writeFileSync(MEASURED, `${JSON.stringify({ machine, benches: benches.filter(isThere) }, null, 2)}\n`)
  }
  const written = figures()
  for (const [file, text] of written) writeFileSync(join(ROOT, file), text)
  console.log(`figures of ${parsed(MEASURED).benches.length} benches in ${[...written.keys()].join(', ')}`)
}
