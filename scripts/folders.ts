import { globSync } from 'node:fs'
import { join } from 'node:path'
import { type Edge, findCycles, folderOf, nameOf } from './folder-cycles.ts'
import { type Ran, run } from './run.ts'

/**
 * Checks which folder imports which, and how many files a folder has: the rules of .dependency-cruiser.mjs, no cycle of
 * folders, and at most twelve source files in a folder. Tests and stories do not count.
 */
const MOST_FILES = 12

/** Flat on purpose: ARCHITECTURE.md says why. A folder that no longer needs its entry is reported. */
const FLAT: Readonly<Record<string, number>> = { 'packages/core/src/tokens': 13 }

interface Cruise {
  modules: { source: string; dependencies: { resolved: string }[] }[]
  summary: { violations: { rule: { name: string }; from: string; to: string }[] }
}

/** Returns the invalid imports below `packages` of `cwd`. */
export async function checkFolders(cwd = join(import.meta.dirname, '..'), flat = FLAT): Promise<Ran> {
  const cruise = await cruiseIn(cwd)
  const found = findCycles(
    cruise.modules.flatMap(({ source, dependencies }) =>
      dependencies
        .filter(({ resolved }) => source.startsWith('packages/') && resolved.startsWith('packages/'))
        .map(({ resolved }) => ({ from: source, to: resolved })),
    ),
  )
  const problems = [
    ...cruise.summary.violations.map(({ rule, from, to }) => `${from} must not import ${to} (${rule.name})`),
    ...found.map(inWords),
    ...largeFolders(
      cruise.modules.map(({ source }) => source),
      flat,
    ),
  ]
  const good = `${cruise.modules.length} modules; no cycle of folders, no folder of more than ${MOST_FILES} files besides ${Object.keys(flat).join(', ')}`
  return { ok: problems.length === 0, output: (problems.length > 0 ? problems : [good]).join('\n') }
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

/** Folders with too many source files. */
export function largeFolders(sources: readonly string[], flat: Readonly<Record<string, number>>): string[] {
  const counts = new Map<string, number>()
  for (const source of sources) {
    const folder = folderOf(source)
    if (/^packages\/[^/]+\/src\/.+\//.test(source)) counts.set(folder, (counts.get(folder) ?? 0) + 1)
  }
  const large = [...counts].filter(([folder, count]) => count > (flat[folder] ?? MOST_FILES))
  const small = Object.keys(flat).filter((folder) => counts.has(folder) && (counts.get(folder) ?? 0) <= MOST_FILES)
  return [
    ...large.map(
      ([folder, count]) =>
        `${folder} has ${count} source files, the limit is ${flat[folder] ?? MOST_FILES}: divide it by purpose`,
    ),
    ...small.map((folder) => `${folder} has at most ${MOST_FILES} files: remove it from FLAT`),
  ]
}

if (import.meta.main) {
  const { ok, output } = await checkFolders()
  console.log(output)
  process.exit(ok ? 0 : 1)
}
