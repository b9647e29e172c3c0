import { existsSync, globSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Modules that start a process or a database, drive a browser, find a service, or change the process that they run in. */
const OUTSIDE = [
  /^(node:)?(child_process|cluster)$/,
  /^(playwright|playwright-core|esbuild|vite|tsup)$/,
  /^@holdpoint\/conformance\/(bridge|services|server-user|local-services)$/,
  /^vitest\/node$/,
  /^@opentelemetry\/context-async-hooks$/,
  // A PostgreSQL server, compiled for the process that tests it. It takes as much processor time as 60 other files.
  /^@electric-sql\/pglite$/,
]
const BUILT = /\bdist\//
const TYPES = /\b(?:import|export) type [^'"]*['"][^'"\n]+['"]/g
const IMPORT = /(?:\bfrom|\bimport|\bimport\()\s*['"]([^'"\n]+)['"]/g

export interface TestFiles {
  /** Need no process, no browser and no service: they share workers. */
  inProcess: string[]
  /** All others. */
  system: string[]
}

/** Sorts test files by what they import, themselves or through helpers beside them. Sources of the packages do not count. */
export function sortTests(patterns: readonly string[], root: string): TestFiles {
  const found: TestFiles = { inProcess: [], system: [] }
  const known = new Map<string, boolean>()
  const files = globSync([...patterns], {
    cwd: root,
    exclude: (name) => /(^|\/)(node_modules|dist|\.next)$/.test(name),
  })
  for (const file of files.sort()) {
    if (/\.browser\.test\.tsx?$/.test(file)) continue
    found[leavesProcess(file, root, known) ? 'system' : 'inProcess'].push(file)
  }
  return found
}

function leavesProcess(file: string, root: string, known: Map<string, boolean>): boolean {
  const before = known.get(file)
  if (before !== undefined) return before
  known.set(file, false)
  const text = readFileSync(join(root, file), 'utf8')
  const imports = [...text.replace(TYPES, '').matchAll(IMPORT)].map(([, specifier]) => specifier ?? '')
  const leaves =
    BUILT.test(text) ||
    imports.some((one) => OUTSIDE.some((pattern) => pattern.test(one))) ||
    imports.some((one) => {
      const next = helperAt(join(dirname(file), one), root)
      return one.startsWith('.') && next !== undefined && leavesProcess(next, root, known)
    })
  known.set(file, leaves)
  return leaves
}

/** A file that an import leads to, if it belongs to tests: a source that starts processes does so only if it is called. */
function helperAt(path: string, root: string): string | undefined {
  if (!/\.tsx?$/.test(path) || /^packages\/(core|react|server)\/src\/(?!.*\/(testing|test)\/)/.test(path))
    return undefined
  return existsSync(join(root, path)) && statSync(join(root, path)).isFile() ? path : undefined
}
