import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Tally } from './reporter.ts'

const FILE = join(import.meta.dirname, '../node_modules/.cache/holdpoint/last-run.json')

/** Keeps the results of a run of all tests, for `test --skipped` and for the table in SECURITY.md. */
export function rememberRun(tally: Tally): void {
  mkdirSync(dirname(FILE), { recursive: true })
  writeFileSync(FILE, JSON.stringify(tally))
}

/** Called before a run, so that a run that breaks off leaves no older results behind. */
export function forgetRun(): void {
  rmSync(FILE, { force: true })
}

/** The results of the last run of all tests; null if there is none. */
export function lastRun(): Tally | null {
  return existsSync(FILE) ? JSON.parse(readFileSync(FILE, 'utf8')) : null
}
