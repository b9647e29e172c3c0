/**
 * Which test files to try first: those that noticed a change of the same source before, then those that notice much in
 * little time.
 */
export function createKillers(files: ReadonlyMap<string, number>) {
  const kills = new Map<string, number>()
  const of = (...key: string[]) => kills.get(key.join('\n')) ?? 0
  const count = (...key: string[]) => kills.set(key.join('\n'), of(...key) + 1)
  const worth = (file: string) => (of(file) + 0.1) / (files.get(file) ?? 1)
  return {
    order: (source: string): string[] =>
      [...files.keys()].sort((a, b) => of(source, b) - of(source, a) || worth(b) - worth(a)),
    killed(source: string, file: string): void {
      count(source, file)
      count(file)
    },
  }
}
