/** Mutants that survive and are no hole, by `file` and the beginning of what was there. */
export const explained: readonly { file: string; was: string; why: string }[] = []
