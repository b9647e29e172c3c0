import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '../../..')
interface Measured {
  name: string
  size: number
}

/** The number of kB in a README after some words. */
function stated(file: string, words: string): number {
  return Number(
    readFileSync(join(root, file), 'utf8')
      .split(words)[1]
      ?.match(/^ ([\d.]+) kB/)?.[1],
  )
}

const entries = [
  ['core: the client with server-sent events', 'the client with server-sent events'],
  ['react: the client, the provider and all hooks', 'with the provider and all hooks'],
  ['react: the client, the provider and all three cards', 'with the provider and all three cards'],
] as const

test('the READMEs state the sizes that size-limit measures', () => {
  if (!existsSync(join(root, 'packages/react/dist'))) {
    throw new Error('this test reads dist: run `npx -y pnpm@12 run build` first')
  }
  const command = join(root, 'node_modules/.bin/size-limit')
  const measured: Measured[] = JSON.parse(read(command))
  for (const [name, words] of entries) {
    const kB = (measured.find((each) => each.name === name)?.size ?? Number.NaN) / 1000
    for (const file of ['README.md', 'packages/react/README.md']) {
      expect(Math.abs(stated(file, words) - kB), `${file}: ${words} ${kB.toFixed(1)} kB`).toBeLessThan(0.1)
    }
  }
}, 120_000)

/** What it writes; it also fails where a limit is passed, which is another check's business. */
function read(command: string): string {
  try {
    return execFileSync(command, ['--json'], { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
  } catch (error) {
    return String((error as { stdout?: string }).stdout)
  }
}
