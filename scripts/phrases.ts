import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Prose, proseOfCode, proseOfMarkdown } from './prose.ts'
import type { Ran } from './run.ts'

/**
 * Finds phrases that are hard to read, in Markdown, comments and strings. A string of one word is an identifier and is
 * not checked.
 */
const FILES = [
  '*.md',
  'docs/**/*.md',
  '.changeset/*.md',
  '{packages,examples}/*/*.md',
  '{packages,examples,bench}/**/*.{ts,tsx}',
  '{scripts,test}/**/*.ts',
  '{bench,site,test}/**/*.md',
]
/** Files without prose of ours: built, downloaded or copied files, and texts in other languages. */
const SKIPPED =
  /(^|\/)(node_modules|dist|\.next|build|__screenshots__|locales|peers)(\/|$)|\/messages\/(?:pages\/)?(?!en\.)[a-z]{2}\.ts$|CHANGELOG\.md$|phrases(\.test)?\.ts$/

/** Patterns to avoid, each with the words to write instead. */
export const PHRASES: readonly (readonly [pattern: RegExp, instead: string])[] = [
  [
    /\b(?:is|are|was|were|be|been|being|gets?) (?:told|said|heard|asked about|looked after|looked at)\b/gi,
    'receives, reports, emits, logs: name the subject',
  ],
  [/\b(?:go|goes|going|gone|went) on\b/gi, 'continue, resume'],
  [/\b(?:give|gives|given|hand|hands|handed) on\b/gi, 'pass, forward'],
  [/\b(?:come|comes|came) back\b/gi, 'return, reconnect'],
  [/\b(?:stands?|lies) (?:in|at|on|there|for itself|beside|below|above|open)\b/gi, 'is'],
  [/\b(?:whoever|somebody|nobody)\b/gi, 'name the subject: the user, the client, no user'],
  [/(?:^\s*|[.:;] )(?:Who|What|Whatever) (?!is (?:it|this)\b)[^.?!]*\.(?= |$)/g, 'begin with the thing that acts'],
  [/\b(?:says?|said) (?:so|goodbye|its name)\b/gi, 'report, log, name'],
  [/\bin (?:its|the) (?:house|room)\b/gi, 'in the folder, in the package'],
  [/\bany ?more\b/gi, 'no longer, or the condition'],
  [/\banew\b/gi, 'again'],
  [/\bfor ever\b/gi, 'permanently, without a limit'],
  [/\bwhat (?:became|becomes|has become) of\b/gi, 'the outcome, the result'],
  [
    /(?<!@)\b(?:(?:any|every)(?:body|one)|someone|no one)\b/gi,
    'name the subject: each user, another client, no process',
  ],
  // American spelling.
  [/\b\w*(?:colour|behaviour|favour|honour|neighbour|labour|flavour)\w*/gi, 'color, behavior, favor, neighbor'],
  [
    /\b\w*(?:author|organ|recogn|real|serial|initial|normal|minim|maxim|optim|custom|summar|synchron|categor|human|general|special|util|visual|stabil|final|token|sanit|prior)is(?:e|es|ed|er|ers|ing|ations?)\b/gi,
    'the spelling with -ize',
  ],
  [
    /\b(?:centres?|licences?|defences?|offences?|catalogues?|grey|whilst|judgement|labell\w+|modell\w+|travell\w+)\b/gi,
    'the American spelling',
  ],
  // Words that the glossary replaces. Words with a second meaning (mode, task, service, broker) are left to the reader.
  [/\blate answers?\b/gi, 'follow-up'],
  [/\bverdicts?\b/gi, 'outcome, decision'],
  [/\bgenerations?\b/gi, 'run; of tokens: number'],
  [/(?<!\btool )\bcall ids?\b/gi, 'tool call id'],
  [
    /(?<![\w./[-])(?:(?:an?|the|this|that|each|every|no|own|once|widest|always) grant|grants(?! (?:access|it|them|the)\b))(?![\w./\]-])/gi,
    'remembered approval',
  ],
  [/\balways[- ]scopes?\b/gi, 'remembered approval'],
  [/\bincarnations?\b/gi, 'node'],
  [/\bhand-?overs?\b|\bhand(?:s|ed|ing)? over\b/gi, 'delivery; pass, release, write'],
  [/\brepl(?:y|ies)\b(?! to$)/gi, 'answer, response'],
]

export interface Finding {
  line: number
  phrase: string
  instead: string
}

export function findPhrases(prose: readonly Prose[]): Finding[] {
  const sentences = prose.filter(({ text }) => text.trim().includes(' '))
  return sentences.flatMap(({ line, text }) =>
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

export async function checkPhrases(): Promise<Ran> {
  const problems = [...checkFiles(join(import.meta.dirname, '..'))].flatMap(([file, findings]) =>
    findings.map(({ line, phrase, instead }) => `${file}:${line} “${phrase}” (write: ${instead})`),
  )
  return { ok: problems.length === 0, output: [...problems, `${problems.length} phrases to rewrite`].join('\n') }
}

if (import.meta.main) {
  const { ok, output } = await checkPhrases()
  console.log(output)
  process.exit(ok ? 0 : 1)
}
