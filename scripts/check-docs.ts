import {
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { type Ran, run } from './run.ts'

/** A fence whose info string says `runnable`: ```ts runnable, ```tsx runnable. */
const FENCE = /^```(tsx?)[ \t]+([^\n]*\brunnable\b[^\n]*)\n([\s\S]*?)^```/gm

interface Block {
  document: string
  line: number
  extension: string
  code: string
}

/** Every block marked as runnable. */
export function runnableBlocks(document: string, text: string): Block[] {
  return [...text.matchAll(FENCE)].map((match) => ({
    document,
    line: text.slice(0, match.index).split('\n').length,
    extension: match[1] as string,
    code: match[3] as string,
  }))
}

/** Compiles the runnable blocks of the documents against the built packages, as an installed app would. */
export async function checkDocs(): Promise<Ran> {
  const documents = globSync(['README.md', 'PROTOCOL.md', 'docs/*.md', 'packages/*/README.md', 'examples/*/README.md'])
  const blocks = documents.flatMap((document) => runnableBlocks(document, readFileSync(document, 'utf8')))
  if (blocks.length === 0) return { ok: true, output: 'no runnable block yet' }
  const folder = mkdtempSync(resolve('.docs-check-'))
  try {
    linkDependencies(join(folder, 'node_modules'))
    for (const block of blocks) write(folder, block)
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(compilerConfig()))
    const { ok, output } = await run('tsc', ['--noEmit', '-p', folder], { quiet: true })
    return { ok, output: `${blocks.length} blocks\n${output.replaceAll(`${basename(folder)}/`, '')}` }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The name that the first line of a block gives its file: `// mock.ts`. */
const named = ({ code }: Block): string | undefined => /^\/\/ ([\w./-]+\.tsx?)\n/.exec(code)?.[1]

/** At the block's own line, so that an error names the line of the document. */
function write(folder: string, block: Block): void {
  const home = join(folder, dirname(block.document))
  const own = join(home, `${basename(block.document)}.files`, named(block) ?? '')
  // Files of one guide import one another by their names. A guide may show a file twice.
  const byLine = join(home, `${basename(block.document)}.${block.line}.${block.extension}`)
  const file = named(block) && !existsSync(own) ? own : byLine
  mkdirSync(dirname(file), { recursive: true })
  const isModule = /^\s*(import|export)\b/m.test(block.code)
  writeFileSync(file, `${'\n'.repeat(block.line)}${block.code}${isModule ? '' : '\nexport {}\n'}`)
}

/** Links all dependencies of packages and examples in the workspace, including the built packages. */
function linkDependencies(target: string): void {
  for (const home of ['.', ...globSync(['packages/*', 'examples/*'])]) {
    const modules = join(home, 'node_modules')
    if (!existsSync(modules)) continue
    for (const name of readdirSync(modules).filter((entry) => !entry.startsWith('.'))) {
      const names = name.startsWith('@') ? readdirSync(join(modules, name)).map((inner) => join(name, inner)) : [name]
      for (const each of names) {
        const link = join(target, each)
        if (existsSync(link)) continue
        mkdirSync(dirname(link), { recursive: true })
        symlinkSync(resolve(modules, each), link)
      }
    }
  }
}

function compilerConfig(): object {
  return {
    extends: '../tsconfig.json',
    compilerOptions: { customConditions: [], types: ['node', 'vite/client'] },
    include: ['**/*.ts', '**/*.tsx'],
  }
}
