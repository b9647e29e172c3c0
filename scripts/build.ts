import { existsSync, globSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { run, since } from './run.ts'

const PACKAGES = ['core', 'react', 'server']
const STAMP = 'dist/.built'
const TRIES = 10

/** Is there a change in what a package is built from, since it was built? */
function isStale(dir: string): boolean {
  const stamp = join(dir, STAMP)
  if (!existsSync(stamp)) return true
  const built = Number(readFileSync(stamp, 'utf8'))
  const files = globSync(['src/**/*.{ts,tsx,css}', 'package.json', 'tsup.config.ts', '../../scripts/published.ts'], {
    cwd: dir,
    exclude: (name) => /\.(test|stories)\./.test(name),
  })
  return files.some((file) => statSync(join(dir, file)).mtimeMs > built)
}

/** Builds beside `dist` and then takes its place, so that nobody who reads `dist` meanwhile finds it empty. */
async function buildPackage(name: string): Promise<boolean> {
  const dir = join('packages', name)
  const started = performance.now()
  const began = Date.now()
  const next = `.dist-${process.pid}`
  const built = await run('tsup', ['--out-dir', next], { cwd: dir, quiet: true })
  if (!built.ok) {
    rmSync(join(dir, next), { recursive: true, force: true })
    console.error(`${built.output}\n@holdpoint/${name} does not build`)
    return false
  }
  writeFileSync(join(dir, next, '.built'), String(began))
  takePlace(join(dir, next), join(dir, 'dist'))
  console.log(`built @holdpoint/${name} in ${since(started)}`)
  return true
}

/** Renames a folder over another; a second build that does the same at this moment is no error, the later one stays. */
function takePlace(next: string, dist: string): void {
  const old = `${next}-old`
  for (let tries = 1; ; tries++) {
    try {
      if (existsSync(dist)) renameSync(dist, old)
      renameSync(next, dist)
      break
    } catch (error) {
      if (tries === TRIES) throw error
    } finally {
      rmSync(old, { recursive: true, force: true })
    }
  }
}

/** Builds every package, or with `stale` only those whose sources have changed since. */
export async function build({ stale = false } = {}): Promise<boolean> {
  let ok = true
  for (const name of PACKAGES) {
    if (stale && !isStale(join('packages', name))) continue
    if (!(await buildPackage(name))) ok = false
  }
  return ok
}

if (import.meta.main) process.exit((await build({ stale: process.argv.includes('--stale') })) ? 0 : 1)
