/// <reference types="vitest/config" />
import { inspect } from 'node:util'
import { BaseSequencer, createVitest, type TestModule, type TestSpecification } from 'vitest/node'

/** The Vitest process that `mutate` runs in its copy. It waits for lists of test files. */
export interface Failure {
  file: string
  test: string
  message: string
}

/** `took`: milliseconds of each file. */
export type Outcome = { passed: true; took: Record<string, number> } | { passed: false; failure: Failure }

/** In the order that was asked for: what is likely to fail goes first. */
class AsAsked extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return files
  }
}

const vitest = await createVitest(
  {
    watch: false,
    project: ['node'],
    bail: 1,
    // Tests wait more than they work, and most of their work would be to load the same modules for each file again.
    maxWorkers: 5,
    isolate: false,
    reporters: [{ onTestCaseResult: () => void process.send?.('alive') }],
    cache: false,
  },
  { test: { sequence: { sequencer: AsAsked } } },
)
const known = new Map((await vitest.globTestSpecifications()).map((one) => [one.moduleId, one]))

let last: string | undefined

process.on('message', async ({ files, changed }: { files: string[]; changed?: string }) => {
  // The change of the last run was reverted.
  for (const file of [last, changed]) if (file) vitest.invalidateFile(file)
  last = changed
  vitest.state.filesMap.clear()
  vitest.state.idMap.clear()
  const { testModules, unhandledErrors } = await vitest.runTestSpecifications(
    files.flatMap((file) => known.get(file) ?? []),
  )
  const failure = testModules.flatMap(failureOf)[0] ?? unhandledErrors.map(unhandled)[0]
  const took = () => Object.fromEntries(testModules.map((one) => [one.moduleId, one.diagnostic().duration]))
  const outcome: Outcome = failure ? { passed: false, failure } : { passed: true, took: took() }
  process.send?.(outcome)
})
// The parent has ended, so there will be no further request.
process.on('disconnect', () => process.exit())

function failureOf(module: TestModule): Failure[] {
  const file = module.moduleId
  const inTests = [...module.children.allTests('failed')].map((one) => ({
    file,
    test: one.fullName,
    message: one.result().errors?.[0]?.message ?? '',
  }))
  return [...inTests, ...module.errors().map(({ message }) => ({ file, test: '(the file)', message }))]
}

function unhandled(error: unknown): Failure {
  return { file: '', test: '(an unhandled error)', message: error instanceof Error ? error.message : inspect(error) }
}
