import { existsSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { build, type Metafile } from 'esbuild'
import { beforeAll, expect, test } from 'vitest'

/**
 * The code that an app loads first and later, as bundled by esbuild with code splitting from the published files.
 * The READMEs state both. `.size-limit.js` limits everything together, as bundled by Rolldown.
 */
const root = join(import.meta.dirname, '../../..')
const react = readFileSync(join(root, 'packages/react/src/index.ts'), 'utf8')
const hooks = [...new Set(react.match(/\buse[A-Z]\w+/g))]

const client = "export { createHoldpointClient, sse } from '@holdpoint/core'\n"

/**
 * The names that an app imports besides the client, after the words of the READMEs, and the number of files in which it loads
 * them. The second is the example in README.md.
 */
const entries: [words: string, files: number, names: string[]][] = [
  ['the client with server-sent events', 1, []],
  ['with the provider and `InteractionView`', 3, ['HoldpointProvider', 'InteractionView', 'useInteractions']],
  ['with the provider and all hooks', 3, ['HoldpointProvider', ...hooks]],
  [
    'with the provider and the three cards by name',
    4,
    ['HoldpointProvider', 'ApprovalDialog', 'AuthRequestCard', 'InputForm'],
  ],
]

/** The files that an app with `InteractionView` loads later, with the words of the READMEs. */
const later: readonly [file: string, words: string][] = [
  ['cards', 'the cards'],
  ['join', 'one stream for all tabs'],
  ['pop-out-view', 'the larger view'],
  ['viewer', 'the diff viewer'],
  ['argument-editors', 'the editor of arguments'],
  ['controls', 'controls of rare fields'],
  ['internal-connect', 'the window of an account provider'],
]

/** In kB: the entry with all that it imports, and what a later file adds to that or to the files of `after`. */
async function measure(names: readonly string[]) {
  const cards = names.length > 0 ? `export { ${names.join(', ')} } from '@holdpoint/react'` : ''
  const { outputFiles, metafile } = await build({
    stdin: { contents: client + cards, resolveDir: import.meta.dirname },
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
  const add = (name: string, to: Set<string>): Set<string> => {
    if (to.has(name)) return to
    to.add(name)
    for (const each of importsOf(outputs.get(name))) add(each, to)
    return to
  }
  const sum = (all: Iterable<string>) => [...all].reduce((total, name) => total + (sizes.get(name) ?? 0), 0)
  const first = add('stdin.js', new Set())
  const fileOf = (name: string) => [...sizes.keys()].find((file) => file.replace(/-\w+\.js$/, '') === name)!
  return {
    first: sum(first),
    files: first.size,
    adds(name: string, after?: string) {
      const known = after ? add(fileOf(after), new Set(first)) : first
      return sum([...add(fileOf(name), new Set(known))].filter((file) => !known.has(file)))
    },
  }
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

beforeAll(() => {
  if (!existsSync(join(root, 'packages/react/dist'))) {
    throw new Error('these tests read dist: run `npx -y pnpm@12 run build` first')
  }
})

test.each(entries)(
  'the first load of an app is in few files: %s, %i',
  async (_words, files, names) => {
    expect((await measure(names)).files).toBeLessThanOrEqual(files)
  },
  60_000,
)

test('the READMEs state what an app loads first, and what it loads later', async () => {
  const wrong: string[] = []
  const compare = (words: string, kB: number) => {
    for (const file of ['README.md', 'packages/react/README.md'])
      if (!isClose(stated(file, words), kB)) wrong.push(`${file}: ${words} ${kB.toFixed(1)} kB`)
  }
  for (const [words, , names] of entries) {
    const { first, adds } = await measure(names)
    compare(words, first)
    if (words.endsWith('hooks')) compare('the names of questions', adds('noticing'))
    if (!names.includes('InteractionView')) continue
    for (const [file, part] of later) compare(part, adds(file, file === 'cards' ? undefined : 'cards'))
  }
  expect(wrong).toEqual([])
}, 60_000)
