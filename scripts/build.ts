import { existsSync, globSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fingerprint, upToDate } from './fingerprint.ts'
import { sources } from './published.ts'
import { run, since } from './run.ts'
import { type Sharing, shareImports } from './shared-imports.ts'

const PACKAGES = ['core', 'react', 'server']
const STAMP = 'dist/.built'
const TRIES = 10
/** Packages with parts that an app loads later and that share much with the rest. */
const SHARING: Readonly<Record<string, Sharing>> = {
  react: { apart: ['announce/noticing.js'], direct: ['approval-dialog/approval-card.js'] },
}
/** The declarations of the server refer to the types of all its optional peers: more than Node's usual heap. */
const HEAP = '--max-old-space-size=8192'

/** The fingerprint of everything that a package is built from. Each package also contains types of those before it. */
function sourcesOf(name: string): string {
  const dir = join('packages', name)
  const own = ['src/**/*.{ts,tsx,css}', 'package.json', 'tsup.config.ts', '../../scripts/{published,shared-imports}.ts']
  const files = globSync(own, { cwd: dir }).filter((file) => !/\.(test|stories)\./.test(file))
  return fingerprint(dir, files)
}

/** The scripts in `dist` that the `exports` of a package name. */
const entriesOf = (dir: string): string[] =>
  Object.values(sources(dir))
    .filter((file) => !file.endsWith('.css'))
    .map((file) => file.replace(/^\.\/src\//, '').replace(/\.tsx?$/, '.js'))

/**
 * Builds in a folder beside `dist` and then replaces `dist`, so that a process that reads `dist` never finds it empty.
 */
async function buildPackage(name: string, wanted: string): Promise<boolean> {
  const dir = join('packages', name)
  const started = performance.now()
  const next = `.dist-${process.pid}`
  const built = await run('tsup', ['--out-dir', next], { cwd: dir, env: { NODE_OPTIONS: HEAP }, quiet: true })
  if (!built.ok) {
    rmSync(join(dir, next), { recursive: true, force: true })
    console.error(`${built.output}\n@holdpoint/${name} does not build`)
    return false
  }
  if (SHARING[name]) shareImports(resolve(dir, next), entriesOf(dir), SHARING[name])
  writeFileSync(join(dir, next, '.built'), wanted)
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
    const dir = join('packages', name)
    const built = stale
      ? await upToDate(
          join(dir, '.dist-building'),
          join(dir, STAMP),
          () => sourcesOf(name),
          (wanted) => buildPackage(name, wanted),
        )
      : await buildPackage(name, sourcesOf(name))
    if (!built) ok = false
  }
  return ok
}

if (import.meta.main) process.exit((await build({ stale: process.argv.includes('--stale') })) ? 0 : 1)
