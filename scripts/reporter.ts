import { writeFileSync } from 'node:fs'
import { relative } from 'node:path'
import type { Reporter, TestCase, TestModule } from 'vitest/node'

export interface Ran {
  name: string
  state: 'passed' | 'failed' | 'skipped'
}

export interface Tally {
  passed: number
  /** Every test that came to an end, for whoever looks for the evidence of a claim. */
  ran: Ran[]
  failed: { name: string; reason: string }[]
  skipped: { name: string; reason: string }[]
}

/** Writes what ran, what failed and what was skipped for which reason to the file that `HOLDPOINT_TALLY` names. */
export default class TallyReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly { message?: string }[]): void {
    const tally: Tally = { passed: 0, ran: [], failed: [], skipped: [] }
    for (const module of modules) {
      for (const error of module.errors()) tally.failed.push({ name: fileOf(module), reason: error.message })
      for (const suite of module.children.allSuites()) {
        for (const error of suite.errors()) tally.failed.push({ name: suite.fullName, reason: error.message })
      }
      for (const test of module.children.allTests()) count(test, tally)
    }
    for (const error of errors) tally.failed.push({ name: 'unhandled error', reason: error.message ?? String(error) })
    if (process.env.HOLDPOINT_TALLY) writeFileSync(process.env.HOLDPOINT_TALLY, JSON.stringify(tally))
  }
}

function count(test: TestCase, tally: Tally): void {
  const name = `${fileOf(test.module)} > ${test.fullName}`
  const result = test.result()
  tally.ran.push({ name, state: result.state === 'pending' ? 'failed' : result.state })
  if (result.state === 'passed') tally.passed++
  else if (result.state === 'skipped') {
    // A skip is only honest with a reason: `context.skip('needs nginx')`.
    if (result.note) tally.skipped.push({ name, reason: result.note })
    else tally.failed.push({ name, reason: 'skipped without a reason: use context.skip(reason)' })
  } else tally.failed.push({ name, reason: result.errors?.[0]?.message ?? `did not finish (${result.state})` })
}

function fileOf(module: TestModule): string {
  return `[${module.project.name}] ${relative(process.cwd(), module.moduleId)}`
}
