import { existsSync } from 'node:fs'
import { build } from './build.ts'
import { pnpm, run } from './run.ts'

if (!existsSync('bench/package.json')) {
  console.log('There is no benchmark yet: they will live in bench/.')
  process.exit(0)
}
if (!(await build({ stale: true }))) process.exit(1)
process.exit((await run(...pnpm(['--dir', 'bench', 'run', 'bench', ...process.argv.slice(2)]))).ok ? 0 : 1)
