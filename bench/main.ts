import { spawn } from 'node:child_process'
import { closeSync, globSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { bars } from './support/bars.ts'
import type { Report } from './support/result.ts'
import { busyWithOthers, circumstances, type Ran, type Run, thisMachine } from './support/run.ts'
import { markdownTable } from './support/table.ts'

/**
 * Runs every `*.bench.ts` below this folder, each in its own process, one after another, because two at once would
 * disturb each other. Names as arguments select some; arguments from the first `--flag` on are passed to them.
 * `results/` contains all results as JSON, as one table, and as plots. It is written after each bench, so that an
 * interrupted run has results.
 */
const here = import.meta.dirname
const results = join(here, 'results')
const HANGS_MS = 45 * 60_000
const given = process.argv.slice(2)
const flagsAt = given.findIndex((argument) => argument.startsWith('--'))
const [wanted, flags] = flagsAt < 0 ? [given, []] : [given.slice(0, flagsAt), given.slice(flagsAt)]
const files = globSync('**/*.bench.ts', { cwd: here, exclude: ['**/node_modules'] })
  .filter((file) => wanted.length === 0 || wanted.some((name) => file.includes(name)))
  .sort()

mkdirSync(results, { recursive: true })

const benches: Ran[] = []
for (const file of files) {
  benches.push(await ran(file))
  write({ machine: thisMachine(), benches })
}
const failed = benches.filter((one) => one.failed)
console.log(`\n${benches.length} benches, ${failed.length} failed: bench/results/table.md, results.json and plots`)
for (const { bench, failed: why } of failed) console.log(`✗ ${bench}: ${why}`)
process.exit(failed.length === 0 && benches.length > 0 ? 0 : 1)

async function ran(file: string): Promise<Ran> {
  const bench = file.replace(/\.bench\.ts$/, '')
  console.log(`\n── ${bench}`)
  const busy = await busyWithOthers()
  const began = performance.now()
  const date = new Date().toISOString()
  const log = join(results, `${bench.replaceAll('/', '-')}.log`)
  const { ended, errors } = await carriedOut(file, log)
  const seconds = Math.round((performance.now() - began) / 1_000)
  const lines = readFileSync(log, 'utf8').trimEnd().split('\n')
  const said = lines.at(-1)?.startsWith('{') ? (JSON.parse(lines.pop() ?? '') as Report) : undefined
  console.log(lines.join('\n'))
  const facts = { ...said, bench, date, seconds, busy }
  if (ended === 0 && said) return facts
  const error = /^(?:\w*Error|.*\bcode: ').*$/m.exec(errors)?.[0].trim()
  return { ...facts, failed: error ?? `it ended with ${ended}${said ? '' : ', and without a report'}` }
}

/**
 * Writes the output to a file, and shows progress and errors as they arrive. It does not wait for the end of either,
 * because a process that outlives its bench holds both.
 */
async function carriedOut(file: string, log: string): Promise<{ ended: number | string | null; errors: string }> {
  const stdout = openSync(log, 'w')
  const child = spawn(process.execPath, ['--expose-gc', join(here, file), ...flags], {
    stdio: ['ignore', stdout, 'pipe'],
    timeout: HANGS_MS,
  })
  closeSync(stdout)
  let errors = ''
  child.stderr?.on('data', (chunk: Buffer) => {
    errors += chunk
    process.stderr.write(chunk)
  })
  const ended = await new Promise<number | string | null>((resolve) => {
    child.once('exit', (code, signal) => setTimeout(() => resolve(signal ?? code), 200))
  })
  return { ended, errors }
}

function write(run: Run): void {
  writeFileSync(join(results, 'results.json'), `${JSON.stringify(run, null, 1)}\n`)
  writeFileSync(join(results, 'table.md'), `${markdownTable(run.benches)}\n\n${circumstances(run)}\n`)
  for (const { bench, results: figures = [] } of run.benches) {
    writeFileSync(join(results, `${bench.replaceAll('/', '-')}.svg`), bars(bench, figures))
  }
}
