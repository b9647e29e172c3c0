import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import type { Run } from './support/run.ts'

const folder = mkdtempSync(join(tmpdir(), 'holdpoint-bench-main-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
cpSync(join(import.meta.dirname, 'main.ts'), join(folder, 'main.ts'))
cpSync(join(import.meta.dirname, 'support'), join(folder, 'support'), { recursive: true })

const result = `{ id: 'a', scenario: 'a thing', figure: 'time', unit: 'ms', better: 'lower', value: 1.23456, target: 2 }`
const benches = {
  // A process that it leaves running holds inherited file handles; the run continues all the same.
  'a/throws': `import { spawn } from 'node:child_process'
    spawn(process.execPath, ['-e', 'setTimeout(() => {}, 150_000)'], { stdio: 'inherit' }).unref()
    console.log('before'); throw new TypeError('no database here')`,
  'b/speaks': `import { report } from '../support/report.ts'
    report({ about: 'one round', results: [${result}, { ...${result}, id: 'b', value: Number.NaN }], rows: { all: [{ x: 1 }] } })`,
  'c/silent': `console.log('asked for', ...process.argv.slice(2))`,
}
for (const [name, code] of Object.entries(benches)) {
  mkdirSync(join(folder, name.split('/')[0] ?? ''))
  writeFileSync(join(folder, `${name}.bench.ts`), code)
}
const run = (...names: string[]) =>
  spawnSync(process.execPath, [join(folder, 'main.ts'), ...names], { encoding: 'utf8' })
const read = (file: string) => readFileSync(join(folder, 'results', file), 'utf8')

test('a bench that fails is marked in the table, and the others still run', { timeout: 120_000 }, () => {
  const { status, stdout } = run()
  expect(status).toBe(1)
  expect(stdout).toContain('3 benches, 2 failed')
  const { machine, benches: ran }: Run = JSON.parse(read('results.json'))
  expect(machine.node).toBe(process.version)
  expect(ran.map(({ bench, failed, results }) => [bench, failed, results?.length])).toEqual([
    ['a/throws', 'TypeError: no database here', undefined],
    ['b/speaks', undefined, 1],
    ['c/silent', 'it ended with 0, and without a report', undefined],
  ])
  expect(read('table.md')).toContain('| `a/throws` | failed: TypeError: no database here |')
  expect(read('table.md')).toContain('| a thing | time | 1.23 ms | ≤ 2 |  |  | yes |')
  expect(read('b-speaks.svg')).toContain('a thing: time, ms')
})

test('the flags of the runner are passed to the bench with their values', { timeout: 120_000 }, () => {
  expect(run('silent', '--minutes', '30').stdout).toContain('asked for --minutes 30')
})

test('main runs the benches that are named, and fails if none matches', { timeout: 120_000 }, () => {
  const { status, stdout } = run('speaks')
  expect(stdout).toContain('b could not be measured here, and is left out')
  expect(status).toBe(0)
  expect(run('nothing-like-that').status).toBe(1)
})
