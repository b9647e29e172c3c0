import { build } from './build.ts'
import { pnpm, run } from './run.ts'

/** The app that people see first. */
const MAIN_EXAMPLE = 'examples/express'

if (!(await build({ stale: true }))) process.exit(1)
process.exit((await run(...pnpm(['--dir', MAIN_EXAMPLE, 'run', 'demo']))).ok ? 0 : 1)
