import { existsSync, globSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { run, since } from './run.ts'

export type Example = 'nextjs' | 'express'

const plans = {
  nextjs: {
    from: ['{app,components,lib}/**/*', '*.{ts,json,diff}'],
    into: '.next',
    command: ['node_modules/next/dist/bin/next', 'build'],
  },
  express: {
    from: ['page/**/*', '*.{ts,json}'],
    into: 'dist',
    command: ['node_modules/vite/bin/vite.js', 'build', '--logLevel', 'warn'],
  },
} as const

const STAMP = '.holdpoint-built'
const WAIT_MS = 500

/** Builds an example's pages, unless nothing has changed since. Two callers at the same time build once. */
export async function buildExample(example: Example): Promise<boolean> {
  const dir = join('examples', example)
  for (;;) {
    if (!isStale(dir, example)) return true
    if (takeTurn(dir)) break
    await new Promise((resolve) => setTimeout(resolve, WAIT_MS))
  }
  try {
    if (!isStale(dir, example)) return true
    return await perform(dir, example)
  } finally {
    rmSync(lockOf(dir), { recursive: true, force: true })
  }
}

async function perform(dir: string, example: Example): Promise<boolean> {
  const { command, into } = plans[example]
  const started = performance.now()
  const began = Date.now()
  const env = { NEXT_TELEMETRY_DISABLED: '1', NODE_ENV: 'production' }
  const built = await run(process.execPath, command, { cwd: dir, quiet: true, env })
  if (built.ok) {
    writeFileSync(join(dir, into, STAMP), String(began))
    console.log(`built examples/${example} in ${since(started)}`)
  } else console.error(`${built.output}\nexamples/${example} does not build`)
  return built.ok
}

function isStale(dir: string, example: Example): boolean {
  const { from, into } = plans[example]
  const stamp = join(dir, into, STAMP)
  if (!existsSync(stamp)) return true
  const built = Number(readFileSync(stamp, 'utf8'))
  const own = globSync([...from], { cwd: dir, exclude: (name) => name === 'next-env.d.ts' }).map((file) =>
    join(dir, file),
  )
  const packages = globSync('packages/{core,react,server}/dist/.built')
  return (
    own.some((file) => statSync(file).isFile() && statSync(file).mtimeMs > built) ||
    packages.some((file) => Number(readFileSync(file, 'utf8')) > built)
  )
}

const lockOf = (dir: string) => join(dir, '.dist-building')

/** True for whoever may build now. A builder that died is not waited for. */
function takeTurn(dir: string): boolean {
  const lock = lockOf(dir)
  try {
    mkdirSync(lock)
    writeFileSync(join(lock, 'pid'), String(process.pid))
    return true
  } catch {
    try {
      process.kill(Number(readFileSync(join(lock, 'pid'), 'utf8')), 0)
    } catch (error) {
      // No such process. A lock without a number yet is a moment old.
      if ((error as NodeJS.ErrnoException).code === 'ESRCH') rmSync(lock, { recursive: true, force: true })
    }
    return false
  }
}
