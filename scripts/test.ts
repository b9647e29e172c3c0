import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { chapters } from '../test/security/chapters.ts'
import { evidence } from '../test/security/evidence.ts'
import { build } from './build.ts'
import { rememberRun } from './last-run.ts'
import type { Tally } from './reporter.ts'
import { closingLine, run, since } from './run.ts'

const filters = process.argv.slice(2)
const started = performance.now()
const tally: Tally = { passed: 0, ran: [], failed: [], skipped: [] }

if (await build({ stale: true })) {
  await runVitest()
  if (filters.length === 0) checkClaims()
} else tally.failed.push({ name: 'build', reason: 'a package does not build, so nothing was tested' })

for (const { name, reason } of tally.skipped) console.log(`skipped: ${name}\n         ${reason}`)
for (const { name, reason } of tally.failed) console.log(`failed:  ${name}\n         ${firstLine(reason)}`)
console.log(`tests took ${since(started)}`)
console.log(closingLine({ passed: tally.passed, failed: tally.failed.length, skipped: tally.skipped.length }))
process.exit(tally.failed.length === 0 ? 0 : 1)

function firstLine(text: string): string {
  return (
    stripVTControlCharacters(text)
      .split('\n')
      .find((line) => line.trim()) ?? ''
  )
}

/** What SECURITY.md claims must be shown by this very run. */
function checkClaims(): void {
  const { unproven, proven } = evidence(chapters, tally.ran)
  tally.passed += proven
  tally.failed.push(...unproven)
  rememberRun(tally.ran)
}

async function runVitest(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'holdpoint-test-'))
  const file = join(folder, 'tally.json')
  const { ok } = await run('vitest', ['run', '--reporter=default', '--reporter=./scripts/reporter.ts', ...filters], {
    env: { HOLDPOINT_TALLY: file },
  })
  if (existsSync(file)) Object.assign(tally, JSON.parse(readFileSync(file, 'utf8')))
  if (tally.passed === 0 && tally.failed.length === 0) tally.failed.push({ name: 'vitest', reason: 'no test ran' })
  if (!ok && tally.failed.length === 0) tally.failed.push({ name: 'vitest', reason: 'ended with an error: see above' })
  rmSync(folder, { recursive: true, force: true })
}
