import { globSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { checkApi } from './api.ts'
import { build } from './build.ts'
import { checkDocs } from './check-docs.ts'
import { checkFigures } from './figures.ts'
import { checkFolders } from './folders.ts'
import { checkPhrases } from './phrases.ts'
import { closingLine, pnpm, type Ran, run, since } from './run.ts'

const PUBLISHED = ['core', 'react', 'server']
const AT_ONCE = 2

interface Step {
  name: string
  does: () => Promise<Ran>
  /** The output is worth reading though the step passes. */
  reports?: boolean
}

const packed = mkdtempSync(join(tmpdir(), 'holdpoint-pack-'))
const tarball = (name: string) => join(packed, `${name}.tgz`)
const quietly = (command: string, args: readonly string[], cwd?: string) =>
  run(command, args, { quiet: true, ...(cwd ? { cwd } : {}) })

const steps: Step[] = [
  { name: 'types', does: () => quietly('tsc', ['--noEmit']) },
  {
    name: 'types of core in a browser',
    does: () => quietly('tsc', ['--noEmit', '-p', 'packages/core/tsconfig.browser.json']),
  },
  ...globSync(['examples/*/tsconfig.json', 'bench/tsconfig.json']).map(
    (config): Step => ({
      name: `types of ${dirname(config)}`,
      does: () => quietly('tsc', ['--noEmit', '-p', config]),
    }),
  ),
  {
    name: 'lint and format',
    does: () => quietly('biome', ['ci', '--colors=off', '--error-on-warnings', '--max-diagnostics=50']),
  },
  { name: 'folders', does: () => checkFolders(), reports: true },
  { name: 'knip', does: () => quietly('knip', ['--no-progress']) },
  ...PUBLISHED.flatMap((name): Step[] => [
    { name: `publint ${name}`, does: () => quietly('publint', ['run', tarball(name), '--strict']) },
    { name: `attw ${name}`, does: () => quietly('attw', [tarball(name), '--profile', 'esm-only', ...cssOf(name)]) },
  ]),
  { name: 'size', does: () => quietly('size-limit', []) },
  { name: 'docs', does: checkDocs },
  { name: 'site', does: () => quietly('vitepress', ['build', 'site']) },
  { name: 'api', does: checkApi, reports: true },
  { name: 'figures', does: checkFigures },
  { name: 'phrases', does: checkPhrases, reports: true },
]

const results: { name: string; ok: boolean; output: string }[] = []
const started = performance.now()

await perform({ name: 'build', does: async () => ({ ok: await build({ stale: true }), output: '' }) })
for (const name of PUBLISHED) {
  const [command, args] = pnpm(['pack', '--out', tarball(name)])
  await perform({ name: `pack ${name}`, does: () => quietly(command, args, `packages/${name}`) })
}
const queue = [...steps]
await Promise.all(Array.from({ length: AT_ONCE }, worker))
rmSync(packed, { recursive: true, force: true })

const failed = results.filter((result) => !result.ok)
for (const { name, output } of failed) console.log(`\n──── ${name} failed ────\n${output.trim()}`)
console.log(`\ncheck took ${since(started)}${failed.length ? `; failed: ${failed.map((f) => f.name).join(', ')}` : ''}`)
console.log(closingLine({ passed: results.length - failed.length, failed: failed.length }))
process.exit(failed.length === 0 ? 0 : 1)

async function worker(): Promise<void> {
  for (let step = queue.shift(); step; step = queue.shift()) await perform(step)
}

async function perform(step: Step): Promise<void> {
  const began = performance.now()
  const { ok, output } = await step.does().catch((error: Error) => ({ ok: false, output: String(error.stack) }))
  results.push({ name: step.name, ok, output })
  console.log(`${ok ? '✓' : '✗'} ${step.name} (${since(began)})`)
  if (ok && step.reports) console.log(output.replaceAll(/^/gm, '    '))
}

/** Style sheets have no types to resolve. */
function cssOf(name: string): string[] {
  if (name !== 'react') return []
  return [
    '--exclude-entrypoints',
    'styles.css',
    'structure.css',
    'theme.css',
    'shadcn.css',
    'devtools.css',
    'tokens.json',
  ]
}
