/**
 * The names of all keys in Redis. All keys of a partition have the same hash tag `{…}`, so that a cluster keeps them on
 * one node.
 */
export interface RedisKeys {
  meta(partition: string): string
  log(partition: string): string
  /** The copy of the log while `rewrite` builds it. */
  rewriting(partition: string): string
  /** The kinds of rows in the partition. */
  kinds(partition: string): string
  rows(partition: string, kind: string): string
  /** The ids of a kind, in the order of their bytes. */
  ids(partition: string, kind: string): string
  tag(tag: string): string
  due(kind: string): string
  readonly clock: string
  readonly wake: string
}

export function redisKeys(prefix: string): RedisKeys {
  // Encoded, so that braces in the name of a partition do not choose the slot.
  const of = (partition: string) => `${prefix}:{${Buffer.from(partition).toString('base64url')}}`
  return {
    meta: (partition) => `${of(partition)}:meta`,
    log: (partition) => `${of(partition)}:log`,
    rewriting: (partition) => `${of(partition)}:rewriting`,
    kinds: (partition) => `${of(partition)}:kinds`,
    rows: (partition, kind) => `${of(partition)}:rows:${kind}`,
    ids: (partition, kind) => `${of(partition)}:ids:${kind}`,
    tag: (tag) => `${prefix}:tag:{${Buffer.from(tag).toString('base64url')}}`,
    due: (kind) => `${prefix}:due:{${Buffer.from(kind).toString('base64url')}}`,
    clock: `${prefix}:clock`,
    wake: `${prefix}:wake`,
  }
}
