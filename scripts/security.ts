import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { chapters } from '../test/security/chapters.ts'
import { evidence } from '../test/security/evidence.ts'
import type { Ran } from './reporter.ts'
import { run } from './run.ts'

/**
 * Writes the table of SECURITY.md from the ids in the titles of all tests, without running them. Each run of all tests
 * checks that the tests of every line pass.
 */
const FILE = join(import.meta.dirname, '../SECURITY.md')
const BETWEEN = /(<!-- evidence: begin[^>]*-->\n)[\s\S]*?(\n<!-- evidence: end -->)/

const { unproven, proven, table } = evidence(chapters, await allTests(), true)
for (const { name, reason } of unproven) console.error(`✗ ${name}\n  ${reason}`)
if (unproven.length === 0) {
  const text = readFileSync(FILE, 'utf8')
  writeFileSync(
    FILE,
    text.replace(BETWEEN, (_, begin, end) => `${begin}\n${table}\n${end}`),
  )
}
console.log(unproven.length === 0 ? `SECURITY.md: ${proven} lines, each with its tests` : 'SECURITY.md is unchanged')
process.exit(unproven.length === 0 ? 0 : 1)

/** Every test by its title, also of suites whose service is missing here. */
async function allTests(): Promise<Ran[]> {
  const folder = mkdtempSync(join(tmpdir(), 'holdpoint-titles-'))
  const file = join(folder, 'tests.json')
  const { ok, output } = await run('vitest', ['list', '--no-static-parse', `--json=${file}`], {
    quiet: true,
    env: { HOLDPOINT_SERVICES: 'assumed' },
  })
  if (!ok) {
    console.error(`${output}\nVitest could not collect the tests.`)
    process.exit(1)
  }
  const found: { name: string; file: string; projectName: string }[] = JSON.parse(readFileSync(file, 'utf8'))
  rmSync(folder, { recursive: true, force: true })
  return found.map((test) => ({
    name: `[${test.projectName}] ${relative(process.cwd(), test.file)} > ${test.name}`,
    state: 'passed',
  }))
}
