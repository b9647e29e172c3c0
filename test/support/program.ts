import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { build } from 'esbuild'
import { SOURCE } from '../../scripts/published.ts'

const FOLDER = resolve('node_modules/.cache/holdpoint/programs')
/** Packages that are not ES modules call it. */
const REQUIRE = "import { createRequire as requireOf } from 'node:module'; const require = requireOf(import.meta.url)"

/**
 * Bundles a program that tests start many times, and returns its path. It starts in a fifth of the processor time of
 * its modules. The path stays the same from run to run, so that Node finds the compiled code again.
 */
export async function program(file: string): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [file],
    bundle: true,
    write: false,
    platform: 'node',
    format: 'esm',
    target: 'node22',
    conditions: [SOURCE],
    banner: { js: REQUIRE },
    logLevel: 'error',
  })
  const text = outputFiles[0]?.text ?? ''
  const place = createHash('sha256').update(resolve(file)).digest('hex').slice(0, 8)
  const path = join(FOLDER, `${basename(file, '.ts')}-${place}.mjs`)
  if (existsSync(path) && readFileSync(path, 'utf8') === text) return path
  mkdirSync(FOLDER, { recursive: true })
  writeFileSync(`${path}.${process.pid}`, text)
  renameSync(`${path}.${process.pid}`, path)
  return path
}
