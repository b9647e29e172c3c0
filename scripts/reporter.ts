import { writeFileSync } from 'node:fs'
import { relative } from 'node:path'
import type { Reporter, TestCase, TestModule } from 'vitest/node'

export interface Ran {
  name: string
  state: 'passed' | 'failed' | 'skipped'
  /** The reason for which a test was skipped. */
  reason?: string
}

export interface Skip {
  name: string
  reason: string
  /** The test file, if a missing service is the reason. */
  needsService?: string
}

export interface Tally {
  /** Every test that ended. The check of SECURITY.md looks for its evidence here. */
  ran: Ran[]
  failed: Failure[]
  skipped: Skip[]
  /** Failed once, and passed each time when their files ran again alone. */
  unstable?: Failure[]
}

export interface Failure {
  name: string
  reason: string
}

/** Writes which tests ran, failed and were skipped for which reason to the file that `HOLDPOINT_TALLY` names. */
export default class TallyReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly { message?: string }[]): void {
    const tally: Tally = { ran: [], failed: [], skipped: [] }
    for (const module of modules) {
      for (const error of module.errors()) tally.failed.push({ name: nameOf(module), reason: error.message })
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
  const name = `${nameOf(test.module)} > ${test.fullName}`
  const { state, errors, note } = { note: undefined, ...test.result() }
  const { missingService } = test.meta() as { missingService?: string }
  const reason = note ?? missingService
  if (state === 'passed') tally.ran.push({ name, state })
  else if (state === 'skipped' && reason) {
    tally.ran.push({ name, state, reason })
    tally.skipped.push({ name, reason, ...(missingService ? { needsService: fileOf(test.module) } : {}) })
  } else {
    tally.ran.push({ name, state: state === 'skipped' ? state : 'failed' })
    const problem = state === 'skipped' ? NO_REASON : (errors?.[0]?.message ?? `did not finish (${state})`)
    tally.failed.push({ name, reason: problem })
  }
}

const NO_REASON = 'skipped without a reason: use context.skip(reason)'

const fileOf = (module: TestModule) => relative(process.cwd(), module.moduleId)

const nameOf = (module: TestModule) => `[${module.project.name}] ${fileOf(module)}`
