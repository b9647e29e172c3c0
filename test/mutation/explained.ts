import { inClientAndTokens } from './explained/client-and-tokens.ts'
import { inEngine } from './explained/engine.ts'
import { inStores } from './explained/stores.ts'
import type { Explained } from './explained/type.ts'
import type { Mutant } from './mutants.ts'

export const explained: readonly Explained[] = [...inEngine, ...inClientAndTokens, ...inStores]

export const explains = (one: Explained, { file, kind, was }: Mutant): boolean =>
  one.file === file && one.kind === kind && was.startsWith(one.was)

export function reasonFor(mutant: Mutant): string | undefined {
  return explained.find((one) => explains(one, mutant))?.why
}
