import type { Skip, Tally } from './reporter.ts'

/** The test files that skipped tests because a service was missing. */
export function filesWithoutService(run: Tally): string[] {
  return [...new Set(run.skipped.flatMap(({ needsService }) => needsService ?? []))].sort()
}

/**
 * The results of two runs: those of `again` replace the earlier results of the same files. A test that failed in the
 * first run stays failed, because both runs must pass.
 */
export function mergeRuns(first: Tally, again: Tally, files: readonly string[]): Tally {
  const isOld = ({ name }: { name: string }) => !files.some((file) => name.includes(`] ${file} > `))
  return {
    ran: [...first.ran.filter(isOld), ...again.ran],
    failed: [...first.failed, ...again.failed],
    skipped: [...first.skipped.filter(isOld), ...again.skipped],
  }
}

const MOST_FILES_TO_REPEAT = 3

/**
 * The test files to run again, to see whether their failures stay. None if more than three files failed, or if something
 * other than a test failed: then nothing is unstable, something is broken.
 */
export function filesToRepeat(run: Tally): string[] {
  const files = run.failed.map(({ name }) => /^\[[^\]]+\] (\S+) > /.exec(name)?.[1])
  const known = files.filter((file) => file !== undefined)
  const distinct = [...new Set(known)].sort()
  return known.length === files.length && distinct.length <= MOST_FILES_TO_REPEAT ? distinct : []
}

/**
 * The results after the files that failed have run again, a few times. If they passed each time, their failures count as
 * unstable: reported by name, but not as failed. Otherwise all failures stay.
 */
export function settleRepeats(first: Tally, repeats: readonly Tally[], files: readonly string[]): Tally {
  const last = repeats.at(-1)
  const failed = repeats.flatMap((run) => run.failed)
  if (!last || failed.length > 0) return { ...first, failed: [...first.failed, ...failed] }
  return { ...mergeRuns(first, last, files), failed: [], unstable: first.failed }
}

/** Lines that report skipped tests: one test by its name, many tests with one reason by their files. */
export function reportSkips(skipped: readonly Skip[]): string[] {
  const byReason = groupBy(skipped, ({ reason }) => reason)
  return [...byReason].flatMap(([reason, tests]) => {
    if (tests.length === 1) return [`skipped: ${tests[0]?.name}`, `         ${reason}`]
    const byFile = groupBy(tests, ({ name }) => name.split(' > ', 1)[0] ?? name)
    return [
      `skipped: ${tests.length} tests: ${reason}`,
      ...[...byFile].map(([file, inFile]) => `         ${file}: ${inFile.length}`),
    ]
  })
}

function groupBy<T>(items: readonly T[], keyOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>()
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item])
  return groups
}
