import { readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { buildSync } from 'esbuild'

/** The file of a built package through which parts that are loaded later import what they share with the rest. */
const SHARED = 'shared.js'

/** The exceptions of a package. All files are paths in `dist`. */
export interface Sharing {
  /** Later parts that keep their imports, because an app may load them without the others. */
  apart: readonly string[]
  /**
   * Files that are imported directly. They lead back to the later parts, and Rolldown would keep these parts in an app that
   * uses none of them.
   */
  direct: readonly string[]
}

/**
 * Lets the later parts of a built package import what they share with the rest of the package through one file.
 *
 * esbuild makes a chunk for each set of later parts that reach a module. With direct imports the sets differ, and the first
 * load of an app is a dozen chunks, which compress worse than one. With one file all of them reach the same modules, so that
 * these modules are one chunk. A bundler still leaves out what an app does not use.
 */
export function shareImports(dist: string, entries: readonly string[], { apart, direct }: Sharing): void {
  const graph = importsOf(dist, entries)
  const early = reachable(graph, [...entries, ...apart])
  const later = [...graph.keys()].filter((file) => !early.has(file))
  const shared = new Map<string, string>()
  for (const file of later) {
    const text = readFileSync(join(dist, file), 'utf8')
    const own = specifier(dirname(file), SHARED)
    const written = text.replace(STATEMENT, (statement, names: string, from: string) => {
      const target = join(dirname(file), from)
      if (!early.has(target) || direct.includes(target)) return statement
      for (const name of namesIn(names)) share(shared, name, target)
      return statement.replace(`"${from}"`, `"${own}"`)
    })
    writeFileSync(join(dist, file), written)
  }
  if (shared.size > 0) writeShared(dist, shared)
}

/** An import or export of names of another file of the package, as esbuild writes it. */
const STATEMENT = /^(?:import|export) \{([^}]*)\} from "(\.{1,2}\/[^"]+)";$/gm

/** The names that a statement takes from the other file, without those that it gives them. */
const namesIn = (names: string): string[] =>
  names
    .split(',')
    .map((name) => name.trim().split(' as ')[0]!)
    .filter(Boolean)

function share(shared: Map<string, string>, name: string, target: string): void {
  const known = shared.get(name)
  if (known && known !== target) {
    throw new Error(
      `Two files that later parts import export "${name}": ${known} and ${target}. Give one of them another name.`,
    )
  }
  shared.set(name, target)
}

function writeShared(dist: string, shared: ReadonlyMap<string, string>): void {
  const lines = [...shared].sort().map(([name, target]) => `export { ${name} } from "${specifier('.', target)}";\n`)
  const map = { version: 3, file: SHARED, sources: [], sourcesContent: [], mappings: '', names: [] }
  writeFileSync(join(dist, `${SHARED}.map`), JSON.stringify(map))
  writeFileSync(join(dist, SHARED), `'use client'\n\n${lines.join('')}//# sourceMappingURL=${SHARED}.map`)
}

const specifier = (from: string, file: string) => relative(from, file).replace(/^(?!\.)/, './')

interface Import {
  file: string
  isLater: boolean
}

/** The imports of each file, at once or later. */
type Graph = ReadonlyMap<string, readonly Import[]>

function importsOf(dist: string, entries: readonly string[]): Graph {
  const { metafile } = buildSync({
    absWorkingDir: dist,
    entryPoints: [...entries],
    bundle: true,
    splitting: true,
    write: false,
    metafile: true,
    outdir: 'out',
    format: 'esm',
    packages: 'external',
    platform: 'neutral',
    logLevel: 'error',
  })
  return new Map(
    Object.entries(metafile.inputs).map(([file, { imports }]) => [
      file,
      imports
        .filter(({ external }) => !external)
        .map(({ path, kind }) => ({ file: path, isLater: kind === 'dynamic-import' })),
    ]),
  )
}

/** The files that are loaded together with these. */
function reachable(graph: Graph, files: readonly string[]): Set<string> {
  const found = new Set(files)
  for (const file of found) {
    for (const next of graph.get(file) ?? []) if (!next.isLater) found.add(next.file)
  }
  return found
}
