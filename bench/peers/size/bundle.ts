import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'

/** Kilobytes of JavaScript after minifying and gzip. */
export interface Bundle {
  /** Loaded at once: the entry, and what it imports statically. */
  first: number
  /** With what is loaded when somebody gets that far. */
  all: number
  /** What of it are import lines of React, which esbuild does not merge. */
  imports: number
}

const REACT_IMPORT = /import(?:[\w*$, ]*\{[^}]*\}|[^"'{}();]*)from"react[^"]*";/g

/**
 * The same settings for everybody, whose file is at `entry`, an absolute path; React is the application's own, and style sheets are not counted. In one file, and in
 * chunks: esbuild makes chunks of dynamic imports that nothing reaches any more, so that one file with all of it can be
 * less than the first chunks. What is loaded at once is whichever is less.
 */
export async function bundle(entry: string): Promise<Bundle> {
  const [one, chunks] = [await built(entry, false), await built(entry, true)]
  return { ...one, first: Math.min(one.all, chunks.first) }
}

async function built(entry: string, splitting: boolean): Promise<Bundle> {
  const { outputFiles, metafile } = await build({
    entryPoints: [entry],
    bundle: true,
    minify: true,
    splitting,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    define: { 'process.env.NODE_ENV': '"production"' },
    external: ['react', 'react-dom', 'react/jsx-runtime', 'react-dom/client'],
    loader: { '.css': 'empty', '.woff': 'empty', '.woff2': 'empty', '.ttf': 'empty', '.svg': 'empty', '.png': 'empty' },
    outdir: 'out',
    write: false,
    metafile: true,
    legalComments: 'none',
    logLevel: 'silent',
  })
  const kilobytes = new Map(outputFiles.map(({ path, text }) => [path, zipped(text)]))
  const without = outputFiles.map(({ text }) => zipped(text.replace(REACT_IMPORT, '')))
  const outputs = new Map(Object.entries(metafile.outputs).map(([path, output]) => [resolve(path), output]))
  const needed = new Set<string>()
  const need = (path: string) => {
    if (needed.has(path)) return
    needed.add(path)
    for (const { path: next, kind, external } of outputs.get(path)?.imports ?? []) {
      if (kind === 'import-statement' && !external) need(resolve(next))
    }
  }
  for (const [path, { entryPoint, exports }] of outputs) {
    if (!entryPoint || resolve(entryPoint) !== entry) continue
    need(path)
    // In TypeScript a name that is not there could be a type: esbuild leaves it out, and says nothing.
    const wanted = /\{([^}]*)\}/g
    const names = [...readFileSync(entryPoint, 'utf8').matchAll(wanted)].flatMap(([, list = '']) => list.split(','))
    const missing = names.map((name) => name.trim()).filter((name) => name !== '' && !exports.includes(name))
    if (missing.length > 0) throw new Error(`${entry} imports what is not there: ${missing.join(', ')}`)
  }
  const sum = (paths: Iterable<string>) => [...paths].reduce((total, path) => total + (kilobytes.get(path) ?? 0), 0)
  const all = sum(kilobytes.keys())
  return { first: sum(needed), all, imports: all - without.reduce((total, each) => total + each, 0) }
}

const zipped = (text: string) => gzipSync(text, { level: 9 }).byteLength / 1_000
