import { existsSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { build, type Metafile } from 'esbuild'
import { expect, test } from 'vitest'

/**
 * The code that an app loads first and later, as bundled by esbuild with code splitting from the published files.
 * The READMEs state both. `.size-limit.js` limits everything together, as bundled by Rolldown.
 */
const root = join(import.meta.dirname, '../../..')
const react = readFileSync(join(root, 'packages/react/src/index.ts'), 'utf8')
const hooks = [...new Set(react.match(/\buse[A-Z]\w+/g))]
const client = "export { createHoldpointClient, sse } from '@holdpoint/core'\n"
const entries = [
  ['the client with server-sent events', ''],
  ['with the provider and all hooks', ['HoldpointProvider', ...hooks]],
  ['with the provider and all three cards', ['HoldpointProvider', 'ApprovalDialog', 'AuthRequestCard', 'InputForm']],
] as const

/** In kB: the entry with all that it imports, and each later chunk by its name. */
async function measure(code: string): Promise<{ first: number; later: Record<string, number> }> {
  const { outputFiles, metafile } = await build({
    stdin: { contents: code, resolveDir: import.meta.dirname },
    bundle: true,
    splitting: true,
    minify: true,
    format: 'esm',
    write: false,
    metafile: true,
    outdir: 'out',
    absWorkingDir: root,
    external: ['react', 'react-dom'],
    define: { 'process.env.NODE_ENV': '"production"' },
    logLevel: 'silent',
  })
  const sizes = new Map(
    outputFiles.map(({ path, contents }) => [basename(path), gzipSync(contents, { level: 9 }).byteLength / 1000]),
  )
  const outputs = new Map(Object.entries(metafile.outputs).map(([path, output]) => [basename(path), output]))
  const first = new Set<string>()
  const add = (name: string) => {
    if (first.has(name)) return
    first.add(name)
    for (const each of importsOf(outputs.get(name))) add(each)
  }
  add('stdin.js')
  const later = [...sizes].filter(([name]) => !first.has(name)).map(([name, kB]) => [name.replace(/-\w+\.js$/, ''), kB])
  return { first: [...first].reduce((sum, name) => sum + (sizes.get(name) ?? 0), 0), later: Object.fromEntries(later) }
}

const importsOf = (output: Metafile['outputs'][string] | undefined) =>
  output?.imports.flatMap(({ path, kind, external }) =>
    kind === 'import-statement' && !external ? [basename(path)] : [],
  ) ?? []

/** The number of kB in a README after some words. */
const stated = (file: string, words: string): number =>
  Number(
    readFileSync(join(root, file), 'utf8')
      .split(words)[1]
      ?.match(/^ ([\d.]+) kB/)?.[1],
  )

const isClose = (a: number, b: number) => Math.abs(a - b) < 0.15

test('the READMEs state what an app loads first, and what it loads later', async () => {
  if (!existsSync(join(root, 'packages/react/dist'))) {
    throw new Error('this test reads dist: run `npx -y pnpm@12 run build` first')
  }
  const wrong: string[] = []
  const compare = (words: string, kB: number) => {
    for (const file of ['README.md', 'packages/react/README.md'])
      if (!isClose(stated(file, words), kB)) wrong.push(`${file}: ${words} ${kB.toFixed(1)} kB`)
  }
  for (const [words, names] of entries) {
    const code = names === '' ? client : `${client}export { ${names.join(', ')} } from '@holdpoint/react'`
    const { first, later } = await measure(code)
    compare(words, first)
    if (words.endsWith('hooks')) compare('the names of questions', later.noticing!)
    if (!words.endsWith('cards')) continue
    compare('one stream for all tabs', later.join!)
    compare('the larger view', later['pop-out-view']!)
    compare('the diff viewer', later.viewer!)
    compare('controls of rare fields', later.controls!)
    compare('the window of an account provider', later['internal-connect']!)
  }
  expect(wrong).toEqual([])
}, 60_000)
