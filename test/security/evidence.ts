import type { Ran } from '../../scripts/reporter.ts'
import type { Chapter } from './line.ts'

export interface Evidence {
  proven: number
  unproven: { name: string; reason: string }[]
  /** Markdown, for SECURITY.md. */
  table: string
}

/**
 * Looks for each claim's tests among those that ran. A test that was skipped on this machine, with its reason, is
 * neither evidence nor a failure, as long as another one of its title passed or the machine is not the one that decides.
 */
export function evidence(
  chapters: readonly Chapter[],
  ran: readonly Ran[],
  strict = process.env.CI === 'true',
): Evidence {
  const unproven: Evidence['unproven'] = []
  let proven = 0
  const parts: string[] = []
  for (const { title, lines } of chapters) {
    parts.push(`### ${title}`, '', '| | what must not happen | what stops it | tests |', '|---|---|---|---|')
    for (const { id, against, stops, evidence } of lines) {
      const reasons = evidence.map((words) => missing(words, ran, strict)).filter((reason) => reason !== null)
      if (reasons.length > 0) unproven.push({ name: `security > ${id} ${against}`, reason: reasons.join('; ') })
      else proven++
      parts.push(`| ${id} | ${against} | ${stops} | ${filesOf(evidence, ran).join('<br>')} |`)
    }
    parts.push('')
  }
  return { proven, unproven, table: parts.join('\n').trimEnd() }
}

function missing(words: string, ran: readonly Ran[], strict: boolean): string | null {
  const found = ran.filter(({ name }) => name.includes(words))
  const failed = found.find(({ state }) => state === 'failed')
  if (failed) return `“${failed.name}” failed`
  if (found.some(({ state }) => state === 'passed')) return null
  if (found.length > 0 && !strict) return null
  return found.length > 0 ? `“${words}” was skipped` : `no test is called “${words}”`
}

/** The files that hold the tests: a reader opens them, and searches for the words of the line. */
function filesOf(evidence: readonly string[], ran: readonly Ran[]): string[] {
  const files = evidence.flatMap((words) =>
    ran.filter(({ name }) => name.includes(words)).map(({ name }) => /\] (\S+) >/.exec(name)?.[1] ?? ''),
  )
  return [...new Set(files)].sort().map(
    (file) =>
      `[${file
        .split('/')
        .at(-1)
        ?.replace(/\.test\.tsx?$/, '')}](${file})`,
  )
}
