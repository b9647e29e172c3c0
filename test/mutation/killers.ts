/** Which test files to try first: those that noticed a change of the same source before, then the quick ones. */
export function createKillers(files: ReadonlyMap<string, number>) {
  const kills = new Map<string, number>()
  const of = (...key: string[]) => kills.get(key.join('\n')) ?? 0
  const count = (...key: string[]) => kills.set(key.join('\n'), of(...key) + 1)
  return {
    order: (source: string): string[] =>
      [...files.keys()].sort(
        (a, b) => of(source, b) - of(source, a) || of(b) - of(a) || (files.get(a) ?? 0) - (files.get(b) ?? 0),
      ),
    killed(source: string, file: string): void {
      count(source, file)
      count(file)
    },
  }
}
