import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { buildSync, type Plugin } from 'esbuild'
import type { Options } from 'tsup'

/** The condition under which the workspace resolves its own packages to sources. Stripped when a package is packed. */
export const SOURCE = 'holdpoint-source'

interface Manifest {
  name: string
  exports: Record<string, string | Record<string, string>>
}

/** Returns what a package publishes, read from its `exports`: `{ sub-path: source file }`. */
export function sources(dir: string): Record<string, string> {
  const { exports } = JSON.parse(readFileSync(join(dir, 'package.json'), 'utf8')) as Manifest
  return Object.fromEntries(
    Object.entries(exports).flatMap(([path, target]) => {
      const source = typeof target === 'string' ? undefined : target[SOURCE]
      return source ? [[path, source]] : []
    }),
  )
}

/** The name in `dist` of a source file. */
const nameOf = (file: string) => file.replace(/^(?:\.\/)?src\//, '').replace(/\.[^.]+$/, '')
const named = (files: readonly string[]) => Object.fromEntries(files.map((file) => [nameOf(file), file]))

/** The build of a package: one entry for each sub-path of `exports`, mirroring `src` in `dist`. */
export function published(dir: string): Options {
  const files = Object.values(sources(dir))
  return {
    entry: named(files),
    dts: { entry: named(files.filter((file) => !file.endsWith('.css'))) },
    format: 'esm',
    target: 'es2022',
    platform: 'neutral',
    sourcemap: true,
    clean: true,
    splitting: true,
    treeshake: false,
    // Deno and Workers know Node's modules by this name alone.
    removeNodeProtocol: false,
    external: [/^node:/],
    silent: true,
  }
}

/**
 * The build of a package for browsers: one file for each source file. The bundler of an app can then leave out whatever
 * the app does not import, and load the rest in the chunks that suit the app.
 */
export function publishedModules(dir: string): Options {
  const entries = Object.values(sources(dir))
  const { metafile } = buildSync({
    absWorkingDir: dir,
    entryPoints: entries.filter((file) => !file.endsWith('.css')),
    bundle: true,
    write: false,
    metafile: true,
    outdir: 'dist',
    format: 'esm',
    splitting: true,
    packages: 'external',
    platform: 'neutral',
    logLevel: 'error',
  })
  const modules = Object.keys(metafile.inputs)
  const sheets = entries.filter((file) => file.endsWith('.css'))
  return { ...published(dir), entry: [...sheets, ...modules], esbuildPlugins: [besideEachOther] }
}

/** Leaves imports of source files as they are: each has a file of its own. */
const besideEachOther: Plugin = {
  name: 'beside-each-other',
  setup(build) {
    build.onResolve({ filter: /^\.{1,2}\/.*\.tsx?$/ }, ({ path, kind }) =>
      kind === 'entry-point' ? undefined : { path: path.replace(/\.tsx?$/, '.js'), external: true },
    )
  },
}
