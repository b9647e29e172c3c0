import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { chapters } from '../test/security/chapters.ts'
import { evidence } from '../test/security/evidence.ts'
import { lastRun } from './last-run.ts'

/** Writes the table of SECURITY.md from the last whole run of the tests. */
const FILE = join(import.meta.dirname, '../SECURITY.md')
const BETWEEN = /(<!-- evidence: begin[^>]*-->\n)[\s\S]*?(\n<!-- evidence: end -->)/

const ran = lastRun()
if (!ran) {
  console.error('There is no run to take evidence from: run `npx -y pnpm@12 test` first, then this again.')
  process.exit(1)
}
const { unproven, proven, table } = evidence(chapters, ran, true)
for (const { name, reason } of unproven) console.error(`✗ ${name}\n  ${reason}`)
const text = readFileSync(FILE, 'utf8')
if (unproven.length === 0)
  writeFileSync(
    FILE,
    text.replace(BETWEEN, (_, begin, end) => `${begin}\n${table}\n${end}`),
  )
console.log(unproven.length === 0 ? `SECURITY.md: ${proven} lines, all shown by the run` : 'SECURITY.md is as it was')
process.exit(unproven.length === 0 ? 0 : 1)
