import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { join, relative } from 'node:path'
import { build } from 'esbuild'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { SOURCE } from '../scripts/published.ts'
import { PUBLISHED, ROOT } from './support/graph.ts'

type Target = string | Record<string, string>

interface Manifest {
  name: string
  sideEffects: unknown
  files: string[]
  exports: Record<string, Target>
}

const packages = PUBLISHED.map((name) => ({ name, dir: join(ROOT, 'packages', name) }))
const manifest = (dir: string) => JSON.parse(readFileSync(join(dir, 'package.json'), 'utf8')) as Manifest
const scripts = (dir: string) => globSync('dist/**/*.js', { cwd: dir }).map((file) => join(dir, file))

/** Entries of which one import costs nearly all, with the reason. */
const INDIVISIBLE: Record<string, string> = {
  '@holdpoint/core/forms/zod': 'two ways of one translation, over the same table of fields',
  '@holdpoint/server/remote':
    'the back end’s half needs webhooks, the vault and guarded requests; the agent’s half is small',
  '@holdpoint/server/mcp-host': 'durableCall asks with elicitation, and records what that returned',
  '@holdpoint/core/protocol': 'schemas are built by calling zod when the module loads; servers, bridges and tests only',
}

/** Minified bytes that may stay when nothing is imported, where that is more than `REST`, with the reason. */
const RESTS: Record<string, { bytes: number; reason: string }> = {
  '@holdpoint/core/wire': {
    bytes: 3_500,
    reason: 'the guards of all events are composed once, and every decoder needs all of them',
  },
  '@holdpoint/react': {
    bytes: 16_500,
    reason:
      'the import lines of what stays outside, one or more for each file, and what esbuild writes around each file that a later part loads',
  },
  '@holdpoint/react/ai-sdk': { bytes: 10_000, reason: 'the same: it shows the same cards' },
  '@holdpoint/react/query': { bytes: 450, reason: 'the same: six import lines and nothing else' },
  '@holdpoint/react/settings': { bytes: 1_500, reason: 'the same: import lines and nothing else' },
  '@holdpoint/server/express': { bytes: 600, reason: 'the same: import lines and nothing else' },
  '@holdpoint/server/node': { bytes: 600, reason: 'the same: import lines and nothing else' },
  '@holdpoint/server/langchain': {
    bytes: 1_600,
    reason: 'the same: import lines, and the symbol that marks its tools',
  },
  '@holdpoint/server/postgres': { bytes: 11_000, reason: 'SQL that is put together from pieces; servers only' },
  '@holdpoint/server/redis': { bytes: 5_500, reason: 'Lua that is put together from pieces; servers only' },
}

/** A module of this many bytes is small enough to come whole. */
const SMALL = 6_000
/** The parts of a module that may remain when nothing of it is imported, and when its cheapest export is. */
const REST = 0.1
const SHARE = 0.5

let scratch: string
beforeAll(() => {
  for (const { dir } of packages) {
    if (!existsSync(join(dir, 'dist'))) throw new Error('these tests read dist: run `npx -y pnpm@12 run build` first')
  }
  scratch = mkdtempSync(join(ROOT, '.docs-check-'))
})
afterAll(() => rmSync(scratch, { recursive: true, force: true }))

describe.each(packages)('@holdpoint/$name', ({ name, dir }) => {
  const { exports, files, sideEffects } = manifest(dir)
  const conditional = Object.entries(exports).filter(
    (entry): entry is [string, Record<string, string>] => typeof entry[1] !== 'string',
  )
  const modules = conditional.flatMap(([path, target]) =>
    target.default?.endsWith('.js') ? [[path, target.default] as const] : [],
  )

  test('exports files that exist, ESM only, types first behind the condition of the workspace', () => {
    for (const [path, target] of conditional) {
      for (const file of Object.values(target)) expect(existsSync(join(dir, file)), `${path}: ${file}`).toBe(true)
      const expected = target.default?.endsWith('.css') ? [SOURCE, 'default'] : [SOURCE, 'types', 'default']
      expect(Object.keys(target), path).toEqual(expected)
    }
    expect(files).toContain('dist')
  })

  test('declares no side effects except for style sheets', () => {
    expect(sideEffects).toEqual(name === 'react' ? ['**/*.css'] : false)
  })

  test('has a source map with its sources beside every script', () => {
    const bare = scripts(dir).filter((file) => {
      if (!existsSync(`${file}.map`)) return true
      const map = JSON.parse(readFileSync(`${file}.map`, 'utf8')) as { sources: string[]; sourcesContent?: string[] }
      return map.sources.length !== (map.sourcesContent ?? []).length
    })
    expect(bare).toEqual([])
  })

  test("says 'use client' on every script of react and on no other", () => {
    const says = (file: string) => /^(['"])use client\1/.test(readFileSync(file, 'utf8'))
    const wrong = scripts(dir).filter((file) => says(file) !== (name === 'react'))
    expect(wrong.map((file) => relative(ROOT, file))).toEqual([])
  })

  test('names each built-in module of Node with `node:`, as runtimes other than Node require', () => {
    const bare = scripts(dir).flatMap((file) =>
      [...readFileSync(file, 'utf8').matchAll(/\b(?:from|import)\s*\(?\s*(["'])([^"'\n]+)\1/g)]
        .filter(([, , module = '']) => builtinModules.includes(module))
        .map(([, , module]) => `${relative(ROOT, file)}: ${module}`),
    )
    expect(bare).toEqual([])
  })

  test('contains no path of the machine that built it', () => {
    const telling = globSync('dist/**/*.{js,map,d.ts,css}', { cwd: dir }).filter((file) =>
      readFileSync(join(dir, file), 'utf8').includes(ROOT),
    )
    expect(telling).toEqual([])
  })

  test.each(modules)(
    '%s: importing one export adds only its own size',
    async (path, file) => {
      const door = join('@holdpoint', name, path)
      if (door in INDIVISIBLE) return
      const [all] = await bundle([`export * from ${JSON.stringify(door)}`])
      const [nothing] = await bundle([`import ${JSON.stringify(join(dir, file))}`], { alone: true })
      const { exports: names = [], bytes: whole } = all!
      expect(nothing!.bytes, 'what stays when nothing is imported, by the code itself').toBeLessThanOrEqual(
        RESTS[door]?.bytes ?? Math.max(200, whole * REST),
      )
      if (whole < SMALL || names.length < 2) return
      const costs = await bundle(names.map((one) => `export { ${one} } from ${JSON.stringify(door)}`))
      const cheapest = costs.reduce((a, b) => (a.bytes <= b.bytes ? a : b))
      expect(cheapest.bytes, `${cheapest.exports} alone, of ${whole} bytes`).toBeLessThanOrEqual(whole * SHARE)
    },
    90_000,
  )
})

interface Bundle {
  bytes: number
  exports: readonly string[]
}

/**
 * Bundles each line of code by itself against the built packages, which are read once; what isn't Holdpoint stays outside.
 * `alone` leaves the other packages outside too and ignores `sideEffects`: only what the code itself does is dropped.
 */
async function bundle(lines: readonly string[], { alone = false } = {}): Promise<Bundle[]> {
  const entryPoints = lines.map((code) => {
    const entry = join(scratch, `${crypto.randomUUID()}.mjs`)
    writeFileSync(entry, code)
    return entry
  })
  const { metafile } = await build({
    entryPoints,
    bundle: true,
    minify: true,
    write: false,
    metafile: true,
    outdir: scratch,
    format: 'esm',
    platform: 'neutral',
    plugins: [
      {
        name: 'only-holdpoint',
        setup(builder) {
          builder.onResolve({ filter: /^[^./]/ }, ({ path }) => {
            if (alone || !path.startsWith('@holdpoint/')) return { path, external: true }
            return { path: resolveDoor(path) }
          })
          builder.onResolve({ filter: /^[./]/ }, async ({ path, kind, resolveDir, pluginData }) => {
            if (pluginData || kind === 'entry-point') return undefined
            const resolved = await builder.resolve(path, { kind, resolveDir, pluginData: true })
            return { path: resolved.path, sideEffects: alone }
          })
        },
      },
    ],
  })
  const outputs = Object.values(metafile.outputs)
  expect(outputs.length).toBe(lines.length)
  return outputs
}

/** Resolves to `dist` like an installed package, whatever the conditions of this workspace. */
function resolveDoor(door: string): string {
  const [, name, path] = /^@holdpoint\/([^/]+)(\/.+)?$/.exec(door) as unknown as [string, string, string | undefined]
  const dir = join(ROOT, 'packages', name)
  const target = manifest(dir).exports[`.${path ?? ''}`]
  const file = typeof target === 'string' ? target : target?.default
  if (!file) throw new Error(`${door} is not exported`)
  return join(dir, file)
}
