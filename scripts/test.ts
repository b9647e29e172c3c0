import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { chapters } from '../test/security/chapters.ts'
import { evidence } from '../test/security/evidence.ts'
import { build } from './build.ts'
import { forgetRun, lastRun, rememberRun } from './last-run.ts'
import type { Tally } from './reporter.ts'
import { closingLine, run, since } from './run.ts'
import { filesToRepeat, filesWithoutService, mergeRuns, reportSkips, settleRepeats } from './runs.ts'

/**
 * Runs the tests. `--unit` runs those that need no build, process, browser or service. `--skipped` completes the last run
 * of all tests: it runs the files that skipped tests because a service was missing, and reports the results of both
 * runs. `--failed` runs the files that failed three more times, alone, to tell unstable tests from broken code. Other
 * arguments go to Vitest.
 */
const flags = ['--unit', '--skipped', '--failed']
const isUnit = process.argv.includes('--unit')
const completes = process.argv.includes('--skipped')
const repeats = process.argv.includes('--failed')
const args = [
  ...(isUnit ? ['--config', 'vitest.unit.config.ts'] : []),
  ...process.argv.slice(2).filter((arg) => !flags.includes(arg)),
]
const started = performance.now()

const tally = completes ? await complete() : repeats ? await repeat() : await runAll(args)
const passed = tally.ran.filter(({ state }) => state === 'passed').length
const claims = completes || repeats || args.length === 0 ? checkClaims(tally) : { proven: 0, failed: [], skipped: [] }

for (const line of reportSkips([...tally.skipped, ...claims.skipped])) console.log(line)
const failed = [...tally.failed, ...claims.failed]
for (const { name, reason } of failed) console.log(`failed:  ${name}\n         ${firstLine(reason)}`)
for (const { name, reason } of tally.unstable ?? []) {
  console.log(`unstable: ${name}\n          failed once, and passed three times alone: ${firstLine(reason)}`)
}
console.log(`tests took ${since(started)}`)
const skipped = tally.skipped.length + claims.skipped.length
console.log(closingLine({ passed: passed + claims.proven, failed: failed.length, skipped }))
process.exit(failed.length === 0 ? 0 : 1)

async function runAll(args: readonly string[]): Promise<Tally> {
  if (args.length === 0) forgetRun()
  if (isUnit || (await build({ stale: true }))) return runVitest(args)
  return broken('build', 'a package does not build, so no test ran')
}

async function complete(): Promise<Tally> {
  const first = lastRun()
  if (!first) return broken('--skipped', 'no run of all tests to complete: run `npx -y pnpm@12 test` first')
  const files = filesWithoutService(first)
  return files.length === 0 ? first : mergeRuns(first, await runAll(files), files)
}

async function repeat(): Promise<Tally> {
  const first = lastRun()
  if (!first) return broken('--failed', 'no run of all tests to repeat: run `npx -y pnpm@12 test` first')
  const files = filesToRepeat(first)
  const runs: Tally[] = []
  while (files.length > 0 && runs.length < 3 && !runs.at(-1)?.failed.length) runs.push(await runAll(files))
  return settleRepeats(first, runs, files)
}

/** SECURITY.md's claims must be shown by this very run. */
function checkClaims(tally: Tally) {
  rememberRun(tally)
  const { proven, unproven, notShown } = evidence(chapters, tally.ran)
  return { proven, failed: unproven, skipped: notShown }
}

async function runVitest(args: readonly string[]): Promise<Tally> {
  const folder = mkdtempSync(join(tmpdir(), 'holdpoint-test-'))
  const file = join(folder, 'tally.json')
  const { ok } = await run('vitest', ['run', '--reporter=default', '--reporter=./scripts/reporter.ts', ...args], {
    env: { HOLDPOINT_TALLY: file },
  })
  const tally: Tally = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : broken('vitest', 'no test ran')
  rmSync(folder, { recursive: true, force: true })
  if (!ok && tally.failed.length === 0) tally.failed.push({ name: 'vitest', reason: 'ended with an error: see above' })
  return tally
}

function broken(name: string, reason: string): Tally {
  return { ran: [], failed: [{ name, reason }], skipped: [] }
}

function firstLine(text: string): string {
  return (
    stripVTControlCharacters(text)
      .split('\n')
      .find((line) => line.trim()) ?? ''
  )
}
