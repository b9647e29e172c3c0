import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Prose, proseOfCode, proseOfMarkdown } from './prose.ts'
import type { Ran } from './run.ts'

/**
 * Finds phrases that are hard to read, in Markdown, comments and strings. Each file may have as many as the baseline
 * says, and none if it is not listed. `--shrink` lowers the baseline to what is there; nothing raises it.
 */
const BASELINE = join(import.meta.dirname, '../test/phrases-baseline.json')
const FILES = [
  '*.md',
  'docs/**/*.md',
  '.changeset/*.md',
  '{packages,examples}/*/*.md',
  '{packages,examples,bench}/**/*.{ts,tsx}',
  '{scripts,test}/**/*.ts',
]
/** Not prose of ours: what is built, downloaded or copied, and the words of other languages. */
const SKIPPED =
  /(^|\/)(node_modules|dist|\.next|build|__screenshots__|locales|peers)(\/|$)|CHANGELOG\.md$|phrases(\.test)?\.ts$/

/** What to avoid → what to write instead. */
export const PHRASES: readonly (readonly [pattern: RegExp, instead: string])[] = [
  [
    /\b(?:is|are|was|were|be|been|being|gets?) (?:told|said|heard|asked about|looked after|looked at)\b/gi,
    'receives, reports, emits, logs: name who does what',
  ],
  [/\b(?:go|goes|going|gone|went) on\b/gi, 'continue, resume'],
  [/\b(?:give|gives|given|hand|hands|handed) on\b/gi, 'pass, forward'],
  [/\b(?:come|comes|came) back\b/gi, 'return, reconnect'],
  [/\b(?:stands?|lies) (?:in|at|on|there|for itself|beside|below|above|open)\b/gi, 'is'],
  [/\b(?:whoever|somebody|nobody)\b/gi, 'name the subject: the user, the client, no user'],
  [/(?:^|[.:;] )(?:Who|What|Whatever) (?!is (?:it|this)\b)[^.?!]*\.(?= |$)/g, 'begin with the thing that acts'],
  [/\b(?:says?|said) (?:so|goodbye|its name)\b/gi, 'report, log, name'],
  [/\bin (?:its|the) (?:house|room)\b/gi, 'in the folder, in the package'],
]

export interface Finding {
  line: number
  phrase: string
  instead: string
}

export function findPhrases(prose: readonly Prose[]): Finding[] {
  return prose.flatMap(({ line, text }) =>
    PHRASES.flatMap(([pattern, instead]) =>
      [...text.matchAll(pattern)].map(([phrase]) => ({ line, phrase: phrase.replace(/^[.:;] /, ''), instead })),
    ),
  )
}

export function checkFiles(root: string): Map<string, Finding[]> {
  const files = globSync(FILES, { cwd: root, exclude: (name) => SKIPPED.test(name) }).filter(
    (file) => !SKIPPED.test(file),
  )
  const found = files.sort().map((file): [string, Finding[]] => {
    const text = readFileSync(join(root, file), 'utf8')
    return [file, findPhrases(file.endsWith('.md') ? proseOfMarkdown(text) : proseOfCode(file, text))]
  })
  return new Map(found.filter(([, findings]) => findings.length > 0))
}

/** What exceeds the baseline: the findings of each file that has more than it may have. */
export function excess(found: ReadonlyMap<string, Finding[]>, baseline: Readonly<Record<string, number>>): string[] {
  return [...found]
    .filter(([file, findings]) => findings.length > (baseline[file] ?? 0))
    .flatMap(([file, findings]) => [
      `${file}: ${findings.length} phrases to rewrite, the baseline is ${baseline[file] ?? 0}`,
      ...findings.map(({ line, phrase, instead }) => `  ${file}:${line} “${phrase}” (write: ${instead})`),
    ])
}

export function shrink(found: ReadonlyMap<string, Finding[]>, baseline: Readonly<Record<string, number>>) {
  const left = Object.entries(baseline).map(([file, count]): [string, number] => [
    file,
    Math.min(count, found.get(file)?.length ?? 0),
  ])
  return Object.fromEntries(left.filter(([, count]) => count > 0).sort(([a], [b]) => (a < b ? -1 : 1)))
}

const sum = (counts: readonly number[]) => counts.reduce((total, count) => total + count, 0)

export async function checkPhrases(): Promise<Ran> {
  const found = checkFiles(join(import.meta.dirname, '..'))
  const baseline = readBaseline()
  const problems = excess(found, baseline)
  const total = sum([...found.values()].map((findings) => findings.length))
  const summary = `${total} phrases to rewrite in ${found.size} files; the baseline allows ${sum(Object.values(baseline))}`
  return { ok: problems.length === 0, output: [...problems, summary].join('\n') }
}

function readBaseline(): Record<string, number> {
  return existsSync(BASELINE) ? JSON.parse(readFileSync(BASELINE, 'utf8')) : {}
}

if (import.meta.main) {
  if (process.argv.includes('--shrink')) {
    const lower = shrink(checkFiles(join(import.meta.dirname, '..')), readBaseline())
    writeFileSync(BASELINE, `${JSON.stringify(lower, null, 2)}\n`)
  }
  const { ok, output } = await checkPhrases()
  console.log(output)
  process.exit(ok ? 0 : 1)
}
