import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Edge, findCycles, nameOf } from './folder-cycles.ts'
import { type Ran, run } from './run.ts'

/**
 * Checks who imports whom: the rules of .dependency-cruiser.mjs, and that folders form no cycle. The file below lists
 * the imports that close a cycle today, as `folder → folder`; the list may only shrink. `--shrink` removes solved ones.
 */
const KNOWN = join(import.meta.dirname, '../test/known-folder-cycles.txt')

interface Cruise {
  modules: { source: string; dependencies: { resolved: string }[] }[]
  summary: { violations: { rule: { name: string }; from: string; to: string }[] }
}

/** What is wrong with the imports below `packages` of `cwd`. */
export async function checkFolders(cwd = join(import.meta.dirname, '..'), known = readKnown()): Promise<Ran> {
  const cruise = await cruiseIn(cwd)
  const { found, solved } = findCycles(
    cruise.modules.flatMap(({ source, dependencies }) =>
      dependencies
        .filter(({ resolved }) => source.startsWith('packages/') && resolved.startsWith('packages/'))
        .map(({ resolved }) => ({ from: source, to: resolved })),
    ),
    known,
  )
  const problems = [
    ...cruise.summary.violations.map(({ rule, from, to }) => `${from} must not import ${to} (${rule.name})`),
    ...found.map(inWords),
    ...solved.map((edge) => `no cycle any more: ${edge}. Run \`npx -y pnpm@12 folders --shrink\`.`),
  ]
  const summary = `${cruise.modules.length} modules; ${known.length} known imports between folders close a cycle`
  return { ok: problems.length === 0, output: [...problems, summary].join('\n') }
}

function inWords(cycle: readonly Edge[]): string {
  return ['cycle of folders:', ...cycle.map((edge) => `  ${nameOf(edge)} (${edge.from} imports ${edge.to})`)].join('\n')
}

async function cruiseIn(cwd: string): Promise<Cruise> {
  const folders = globSync('packages/*/src', { cwd })
  const args = ['--config', '.dependency-cruiser.mjs', '--output-type', 'json', ...folders]
  const { output } = await run('depcruise', args, { cwd, quiet: true })
  try {
    return JSON.parse(output.slice(output.indexOf('{')))
  } catch {
    throw new Error(`dependency-cruiser ended without a result: ${output.slice(0, 2_000)}`)
  }
}

function readKnown(): string[] {
  return readFileSync(KNOWN, 'utf8').split('\n').filter(Boolean)
}

if (import.meta.main) {
  if (process.argv.includes('--shrink')) {
    const { output } = await checkFolders()
    const solved = new Set([...output.matchAll(/^no cycle any more: (.+)\. Run/gm)].map(([, edge]) => edge))
    const left = readKnown().filter((edge) => !solved.has(edge))
    writeFileSync(KNOWN, left.map((edge) => `${edge}\n`).join(''))
  }
  const { ok, output } = await checkFolders()
  console.log(output)
  process.exit(ok ? 0 : 1)
}
