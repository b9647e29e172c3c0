import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Ran } from './reporter.ts'

const FILE = join(import.meta.dirname, '../node_modules/.cache/holdpoint/last-run.json')

/** Keeps what a whole run of the tests came to, for the table in SECURITY.md. */
export function rememberRun(ran: readonly Ran[]): void {
  mkdirSync(dirname(FILE), { recursive: true })
  writeFileSync(FILE, JSON.stringify(ran))
}

/** What the last whole run came to; null where there was none. */
export function lastRun(): Ran[] | null {
  return existsSync(FILE) ? JSON.parse(readFileSync(FILE, 'utf8')) : null
}
