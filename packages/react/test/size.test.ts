import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '../../..')
const readme = readFileSync(join(import.meta.dirname, '../README.md'), 'utf8')

interface Measured {
  name: string
  size: number
}

/** The number of kB that stands after some words of the README. */
const stated = (words: string) => Number(readme.split(words)[1]?.match(/^ ([\d.]+) kB/)?.[1])

test('the README states the sizes that size-limit measures', () => {
  if (!existsSync(join(root, 'packages/react/dist'))) {
    throw new Error('this test reads dist: run `npx -y pnpm@12 run build` first')
  }
  const command = join(root, 'node_modules/.bin/size-limit')
  const measured: Measured[] = JSON.parse(read(command))
  const kB = (name: string) => (measured.find((each) => each.name === name)?.size ?? Number.NaN) / 1000
  expect(Math.abs(stated('the client with its hooks') - kB('react: the hooks with the client'))).toBeLessThan(0.25)
  const all = kB('react: the client, the hooks and all three components')
  expect(Math.abs(stated('with all three components') - all)).toBeLessThan(0.25)
}, 120_000)

/** What it writes; it also fails where a limit is passed, which is another check's business. */
function read(command: string): string {
  try {
    return execFileSync(command, ['--json'], { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
  } catch (error) {
    return String((error as { stdout?: string }).stdout)
  }
}
