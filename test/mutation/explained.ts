import type { Mutant } from './mutants.ts'

/** A mutant that survives and is no hole: what was there, by its beginning, and what was done to it. */
export interface Explained {
  file: string
  kind: string
  was: string
  why: string
}

export const explained: readonly Explained[] = [
  {
    file: 'packages/core/src/client/connector.ts',
    kind: 'step left out',
    was: 'unwake()',
    why: 'only performance: a look at the clock that is not needed any more finds nothing to do',
  },
]

export const explains = (one: Explained, { file, kind, was }: Mutant): boolean =>
  one.file === file && one.kind === kind && was.startsWith(one.was)

export function reasonFor(mutant: Mutant): string | undefined {
  return explained.find((one) => explains(one, mutant))?.why
}
