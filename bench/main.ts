import { spawnSync } from 'node:child_process'
import { globSync, mkdirSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'

/**
 * Every `*.bench.ts` below this folder, each in a process of its own, one after the other: two at once would measure
 * each other. A name as argument picks some. Each prints its table; a last line of JSON is kept in `results/`.
 */
const here = import.meta.dirname
const [wanted = ''] = process.argv.slice(2)
const files = globSync('*/*.bench.ts', { cwd: here })
  .filter((file) => file.includes(wanted))
  .sort()
mkdirSync(join(here, 'results'), { recursive: true })

let failed = 0
for (const file of files) {
  console.log(`\n── ${file}`)
  const { status, stdout } = spawnSync(process.execPath, ['--expose-gc', join(here, file)], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const lines = stdout.trimEnd().split('\n')
  const json = lines.at(-1)?.startsWith('{') ? lines.pop() : undefined
  console.log(lines.join('\n'))
  if (json) writeFileSync(join(here, 'results', `${basename(file, '.bench.ts')}.json`), `${json}\n`)
  if (status !== 0) failed++
}
process.exit(failed === 0 ? 0 : 1)
