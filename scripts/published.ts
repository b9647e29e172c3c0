import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Options } from 'tsup'

/** The condition under which the workspace resolves its own packages to sources. Stripped when a package is packed. */
export const SOURCE = 'holdpoint-source'

interface Manifest {
  name: string
  exports: Record<string, string | Record<string, string>>
}

/** What a package publishes, read from its `exports`: `{ sub-path: source file }`. */
export function sources(dir: string): Record<string, string> {
  const { exports } = JSON.parse(readFileSync(join(dir, 'package.json'), 'utf8')) as Manifest
  return Object.fromEntries(
    Object.entries(exports).flatMap(([path, target]) => {
      const source = typeof target === 'string' ? undefined : target[SOURCE]
      return source ? [[path, source]] : []
    }),
  )
}

/** The build of a package: one entry for each sub-path of `exports`, mirroring `src` in `dist`. */
export function published(dir: string): Options {
  const files = Object.values(sources(dir))
  const named = (list: string[]) =>
    Object.fromEntries(list.map((file) => [file.replace(/^\.\/src\//, '').replace(/\.[^.]+$/, ''), file]))
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
