import { readFileSync, writeFileSync } from 'node:fs'
import { type Entry, publishedEntries, readApi } from './api-model.ts'
import type { Ran } from './run.ts'

/**
 * Writes docs/api.md, the list of all exported names, and builds the reference with TypeDoc into a folder that git
 * ignores. `check` compares the list with the code and holds the limits below.
 */
const PAGE = 'docs/api.md'
const FOLDER = 'build/api'

/**
 * The API should be small enough to learn. `names` counts every name of every import path once. Types that only
 * describe options or parts of another type are not exported: `Parameters<typeof f>` and `Type['field']` give them.
 */
const LIMITS = { names: 300, undocumented: 0, ambiguous: 0 }

export interface Figures {
  names: string[]
  /** Exports without a doc comment, as `entry: name`. */
  undocumented: string[]
  /** Names that mean different things at different entries. */
  ambiguous: string[]
}

export function figuresOf(entries: readonly Entry[]): Figures {
  const meanings = new Map<string, Set<number>>()
  for (const { name, id } of entries.flatMap((entry) => entry.exports)) {
    meanings.set(name, (meanings.get(name) ?? new Set()).add(id))
  }
  return {
    names: namesOf(entries),
    undocumented: entries.flatMap(({ path, exports }) =>
      exports.filter(({ isDocumented }) => !isDocumented).map(({ name }) => `${path}: ${name}`),
    ),
    ambiguous: [...meanings].filter(([, ids]) => ids.size > 1).map(([name]) => name),
  }
}

/** The page: a table for each package, a row for each import path. */
export function pageOf(entries: readonly Entry[]): string {
  const packages = [...new Set(entries.map(({ path }) => packageOf(path)))]
  const tables = packages.flatMap((name) => {
    const own = entries.filter(({ path }) => packageOf(path) === name)
    return [`## ${name}`, '', '| import path | count | names |', '|---|---|---|', ...own.map(rowOf), '']
  })
  const intro = [
    `All ${namesOf(entries).length} exported names, by import path. \`npx -y pnpm@12 api\` writes this page and builds the reference`,
    `with types, doc comments and examples into \`${FOLDER}\`; your editor shows the same comments.`,
  ]
  return ['# API', '', ...intro, '', ...tables].join('\n')
}

function rowOf({ path, exports }: Entry): string {
  const names = exports.map(({ name }) => `\`${name}\``).sort((a, b) => (a.toLowerCase() < b.toLowerCase() ? -1 : 1))
  return `| \`${path}\` | ${names.length} | ${names.join(' ')} |`
}

const namesOf = (entries: readonly Entry[]) => [
  ...new Set(entries.flatMap(({ exports }) => exports.map(({ name }) => name))),
]

const packageOf = (path: string) => path.split('/').slice(0, 2).join('/')

/** Returns the limits that are exceeded, in words. */
export function excess(figures: Figures, limits = LIMITS): string[] {
  const list = (names: readonly string[]) => names.map((name) => `\n  ${name}`).join('')
  const { names, undocumented, ambiguous } = figures
  return [
    ...(names.length > limits.names ? [`${names.length} exported names, the limit is ${limits.names}`] : []),
    ...(undocumented.length > limits.undocumented
      ? [
          `${undocumented.length} exports without a doc comment, the limit is ${limits.undocumented}:${list(undocumented)}`,
        ]
      : []),
    ...(ambiguous.length > limits.ambiguous
      ? [`${ambiguous.length} names with two meanings, the limit is ${limits.ambiguous}:${list(ambiguous)}`]
      : []),
  ]
}

/** Compares docs/api.md with the code, and the figures with their limits. */
export async function checkApi(): Promise<Ran> {
  const { entries } = await readApi(publishedEntries())
  const figures = figuresOf(entries)
  const isOld = readFileSync(PAGE, 'utf8') !== pageOf(entries)
  const problems = [...excess(figures), ...(isOld ? [`${PAGE} is out of date: run \`npx -y pnpm@12 api\``] : [])]
  return { ok: problems.length === 0, output: [...problems, summary(entries, figures)].join('\n') }
}

function summary(entries: readonly Entry[], { names, undocumented, ambiguous }: Figures): string {
  const perEntry = entries.map(({ path, exports }) => `${exports.length} ${path}`)
  return [
    ...perEntry,
    `${names.length} names (limit ${LIMITS.names}), ${undocumented.length} without a doc comment (limit ${LIMITS.undocumented}), ${ambiguous.length} with two meanings (limit ${LIMITS.ambiguous})`,
  ].join('\n')
}

if (import.meta.main) {
  const { app, project, entries } = await readApi(publishedEntries())
  writeFileSync(PAGE, pageOf(entries))
  await app.generateDocs(project, FOLDER)
  console.log(summary(entries, figuresOf(entries)))
  console.log(`wrote ${PAGE} and ${FOLDER}`)
}
