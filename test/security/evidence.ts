import type { Ran } from '../../scripts/reporter.ts'
import type { Chapter } from './line.ts'

export interface Evidence {
  proven: number
  /** Claims without a test, or with a test that failed. */
  unproven: Claim[]
  /** Claims whose tests were skipped with a reason: this run neither shows nor refutes them. */
  notShown: Claim[]
  /** Markdown, for SECURITY.md. */
  table: string
}

interface Claim {
  name: string
  reason: string
}

/**
 * Finds each claim's tests among the tests that ran. With `strict` a skipped test is a failure: this holds if services
 * are required, and for the table in SECURITY.md.
 */
export function evidence(
  chapters: readonly Chapter[],
  ran: readonly Ran[],
  strict = process.env.HOLDPOINT_REQUIRE_SERVICES === '1',
): Evidence {
  const claims: Record<Verdict['state'], Claim[]> = { proven: [], unproven: [], notShown: [] }
  const parts: string[] = []
  for (const { title, lines } of chapters) {
    parts.push(`### ${title}`, '', '| | what must not happen | what stops it | tests |', '|---|---|---|---|')
    for (const { id, against, stops, evidence } of lines) {
      const { state, reason } = judge(evidence.map((id) => verdictOn(id, ran, strict)))
      claims[state].push({ name: `security > ${id} ${against}`, reason })
      parts.push(`| ${id} | ${against} | ${stops} | ${filesOf(evidence, ran).join('<br>')} |`)
    }
    parts.push('')
  }
  return { ...claims, proven: claims.proven.length, table: parts.join('\n').trimEnd() }
}

interface Verdict {
  state: 'proven' | 'unproven' | 'notShown'
  reason: string
}

/** A claim is as good as its weakest evidence. */
function judge(verdicts: readonly Verdict[]): Verdict {
  const worst = (['unproven', 'notShown'] as const).find((state) => verdicts.some((one) => one.state === state))
  const reasons = verdicts.filter((one) => one.state === worst).map(({ reason }) => reason)
  return { state: worst ?? 'proven', reason: [...new Set(reasons)].join('; ') }
}

function verdictOn(id: string, ran: readonly Ran[], strict: boolean): Verdict {
  const found = ran.filter(({ name }) => carries(name, id))
  const failed = found.find(({ state }) => state === 'failed')
  if (failed) return { state: 'unproven', reason: `“${failed.name}” failed` }
  if (found.some(({ state }) => state === 'passed')) return { state: 'proven', reason: '' }
  const skipped = found.find(({ reason }) => reason)
  if (!skipped?.reason) return { state: 'unproven', reason: `no test carries [${id}]` }
  if (strict) return { state: 'unproven', reason: `[${id}] was skipped: ${skipped.reason}` }
  return { state: 'notShown', reason: `not shown here: ${skipped.reason}` }
}

const carries = (name: string, id: string) => name.includes(`[${id}]`)

/** The files that hold the tests: a reader opens them, and searches for the id of the line. */
function filesOf(evidence: readonly string[], ran: readonly Ran[]): string[] {
  const files = evidence.flatMap((id) =>
    ran.filter(({ name }) => carries(name, id)).map(({ name }) => /\] (\S+) >/.exec(name)?.[1] ?? ''),
  )
  return [...new Set(files)].sort().map(
    (file) =>
      `[${file
        .split('/')
        .at(-1)
        ?.replace(/\.test\.tsx?$/, '')}](${file})`,
  )
}
