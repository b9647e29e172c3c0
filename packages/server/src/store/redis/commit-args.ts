import type { Commit } from '../port.ts'
import type { RedisKeys } from './keys.ts'
import type { IndexEntry } from './lists.ts'

export interface CommitCall {
  keys: string[]
  args: (string | number)[]
}

/** The ids that a commit gets besides its content. */
export interface CommitIds {
  nonce: string
  newBase: string
}

/** Returns the keys and arguments of a commit, in the order that the script expects. The script writes `entries`. */
export function commitCall(
  item: Commit,
  names: RedisKeys,
  { nonce, newBase }: CommitIds,
  entries: readonly IndexEntry[],
): CommitCall {
  const { partition, checks = [], puts = [], deletes = [], events = [] } = item
  const kinds: string[] = []
  const numberOf = (kind: string) => {
    const at = kinds.indexOf(kind)
    return at < 0 ? kinds.push(kind) : at + 1
  }
  const body: (string | number)[] = [checks.length]
  for (const { kind, id, version } of checks) body.push(numberOf(kind), id, version)
  body.push(puts.length)
  for (const { kind, id, data, expect, due, tags } of puts) {
    body.push(numberOf(kind), id, expect ?? '', nonce, due ?? '-', JSON.stringify([...new Set(tags)]), data)
  }
  body.push(deletes.length)
  for (const { kind, id, expect } of deletes) body.push(numberOf(kind), id, expect ?? '')
  body.push(events.length, ...events)
  return {
    keys: [
      names.meta(partition),
      names.log(partition),
      names.kinds(partition),
      ...kinds.flatMap((kind) => [names.rows(partition, kind), names.ids(partition, kind)]),
      ...entries.map(({ key }) => key),
    ],
    args: [
      ...[newBase, names.wake, partition, kinds.length, ...kinds],
      ...[entries.length, ...entries.flatMap(({ score, member }) => [score, member])],
      ...body,
    ],
  }
}
