import { createHash } from 'node:crypto'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'
import { transformAsync, version } from '@babel/core'
import type { Plugin } from 'esbuild'

/** The result of the compiler for one function. */
export interface Verdict {
  kind: string
  file: string
  detail: string
}

interface LoggerEvent {
  kind: string
  fnName?: string | null
  detail?: { reason?: string; options?: { reason?: string } } | string
}

/** The output of the compiler for a file. */
interface Compiled {
  code: string
  verdicts: Verdict[]
}

const FOLDER = resolve('node_modules/.cache/holdpoint/react-compiler')
const compilerVersion: string = createRequire(import.meta.url)('babel-plugin-react-compiler/package.json').version

/**
 * Returns what the compiler made of the same text before, or runs it. The compiler takes most of the processor time of
 * its tests, and few files change between two runs.
 */
async function compileOnce(path: string, source: string, react: 18 | 19): Promise<Compiled> {
  const key = createHash('sha256')
    .update(JSON.stringify([version, compilerVersion, react, path, source]))
    .digest('hex')
  const file = join(FOLDER, `${key}.json`)
  const before = await readFile(file, 'utf8').catch(() => null)
  if (before !== null) return JSON.parse(before)
  const compiled = await compile(path, source, react)
  await mkdir(FOLDER, { recursive: true })
  await writeFile(`${file}.${process.pid}`, JSON.stringify(compiled))
  await rename(`${file}.${process.pid}`, file)
  return compiled
}

async function compile(path: string, source: string, react: 18 | 19): Promise<Compiled> {
  const verdicts: Verdict[] = []
  const logger = {
    logEvent(file: string | null, event: LoggerEvent) {
      verdicts.push({ kind: event.kind, file: file ?? path, detail: JSON.stringify(event.detail ?? event.fnName) })
    },
  }
  const compiled = await transformAsync(source, {
    filename: path,
    babelrc: false,
    configFile: false,
    parserOpts: { plugins: ['typescript', ...(path.endsWith('x') ? (['jsx'] as const) : [])] },
    plugins: [['babel-plugin-react-compiler', { target: String(react), logger }]],
  })
  return { code: compiled?.code ?? source, verdicts }
}

/** React Compiler over everything that is bundled and is ours, as an application's build runs it. */
export function reactCompiler(react: 18 | 19, verdicts: Verdict[] = []): Plugin {
  return {
    name: 'react-compiler',
    setup(build) {
      build.onLoad({ filter: /packages\/(react|core)\/src\/.*\.tsx?$/ }, async ({ path }) => {
        const compiled = await compileOnce(path, await readFile(path, 'utf8'), react)
        verdicts.push(...compiled.verdicts)
        return { contents: compiled.code, loader: path.endsWith('x') ? 'tsx' : 'ts' }
      })
    },
  }
}
