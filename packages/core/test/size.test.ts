import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { build, type Plugin } from 'esbuild'
import { expect, test } from 'vitest'

/**
 * The size of the client, part by part. The README has the table, and this test compares it with esbuild's output, so
 * that a part that grows shows in the README of the same change.
 */
const dir = join(import.meta.dirname, '..')
const base = ['createHoldpointClient', 'sse']
/** Lower it when the client shrinks. A commit that raises it says what for. The target is 9 kB. */
const LIMIT = 14_800

/** A part of the bundle by the files that are in it. The first that fits counts. */
const parts: [name: string, files: RegExp][] = [
  ['what was shown', /src\/(json\/(canonical|sha256)|wire\/shown-digest)\.ts/],
  ['`eventsource-parser`', /eventsource-parser/],
  ['reading', /src\/(wire|json)\//],
  ['state', /src\/machine\//],
  ['connection', /src\/client\/(api\/environment|connection|connector|presence|schedule)\.ts/],
  ['answers', /src\/client\/(answers|outcome|post|user-actions)\.ts/],
  ['transport', /src\/(transport|sse)\//],
  ['client', /./],
]

/** The code that `sse()` loads in a browser when it connects. */
const late: Plugin = {
  name: 'late',
  setup: (builder) => builder.onResolve({ filter: /\/join\.ts$/ }, ({ path }) => ({ path, external: true })),
}

/** Bytes that the shared stream adds to a page that has the client. */
async function sharedStream() {
  const { outputFiles } = await build({
    stdin: { contents: `export { ${base.join(', ')} } from './src/index.ts'`, resolveDir: dir },
    bundle: true,
    splitting: true,
    minify: true,
    format: 'esm',
    write: false,
    outdir: dir,
    logLevel: 'silent',
  })
  const chunk = outputFiles.find(({ path }) => basename(path).startsWith('join'))
  return gzipSync(chunk!.contents, { level: 9 }).byteLength
}

async function bundle(names: readonly string[]) {
  const { outputFiles, metafile } = await build({
    stdin: { contents: `export { ${names.join(', ')} } from './src/index.ts'`, resolveDir: dir },
    bundle: true,
    minify: true,
    format: 'esm',
    write: false,
    metafile: true,
    plugins: [late],
    outdir: dir,
    logLevel: 'silent',
  })
  const { inputs = {} } = Object.values(metafile.outputs)[0] ?? {}
  const bytes = Object.entries(inputs).map(([file, { bytesInOutput }]) => ({ file, bytes: bytesInOutput }))
  return { gzipped: gzipSync(outputFiles[0]!.contents, { level: 9 }).byteLength, bytes }
}

/** First and second column of the rows of the README's table under a heading. */
function stated(heading: string): Map<string, number> {
  const readme = readFileSync(join(dir, 'README.md'), 'utf8')
  const [, section = ''] = readme.split(`| ${heading} |`)
  const [table = ''] = section.split('\n\n')
  return new Map(
    [...table.matchAll(/^\| ([^|]+) \| \+?([\d.]+) kB \|/gm)].map(([, name = '', kB]) => [name, Number(kB)]),
  )
}

const close = (a: number, b: number) => Math.abs(a - b) < 0.12

test('the client with sse() has the size that the README states, part by part', async () => {
  const { gzipped, bytes } = await bundle(base)
  const all = bytes.reduce((sum, { bytes }) => sum + bytes, 0)
  const measured = new Map(parts.map(([name]) => [name, 0]))
  for (const { file, bytes: own } of bytes) {
    const [name] = parts.find(([, files]) => files.test(file))!
    measured.set(name, measured.get(name)! + (own / all) * (gzipped / 1000))
  }
  measured.set('**together**', gzipped / 1000)
  measured.set('shared stream', (await sharedStream()) / 1000)
  const said = stated('part')
  const now = [...measured].map(([name, kB]) => `${name}: ${kB.toFixed(1)} kB`).join('\n')
  expect([...said.keys()], now).toEqual([...measured.keys()])
  for (const [name, kB] of measured) expect(close(said.get(name)!, kB), `${name}; measured:\n${now}`).toBe(true)
  expect(gzipped).toBeLessThanOrEqual(LIMIT)
})

test('other transports add the sizes that the README states', async () => {
  const { gzipped } = await bundle(base)
  const said = stated('import')
  expect([...said.keys()]).toEqual(['`longPoll`', '`websocket`', '`messagePort`', '`cardViewOf`'])
  const measured = await Promise.all(
    [...said.keys()].map(async (row) => {
      const whole = await bundle([...base, ...row.replaceAll('`', '').split(', ')])
      return [row, (whole.gzipped - gzipped) / 1000] as const
    }),
  )
  const now = measured.map(([name, kB]) => `${name}: +${kB.toFixed(1)} kB`).join('\n')
  for (const [name, kB] of measured) expect(close(said.get(name)!, kB), `${name}; measured:\n${now}`).toBe(true)
})
