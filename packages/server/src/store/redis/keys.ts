/** Names of everything in Redis. All of one partition carries its `{…}`, so that a cluster keeps it on one node. */
export interface RedisKeys {
  meta(partition: string): string
  log(partition: string): string
  /** The log while it is written again. */
  rewriting(partition: string): string
  /** Kinds that the partition has rows of. */
  kinds(partition: string): string
  rows(partition: string, kind: string): string
  /** Ids of a kind in the order of their bytes. */
  ids(partition: string, kind: string): string
  tag(tag: string): string
  due(kind: string): string
  readonly clock: string
  readonly wake: string
}

export function redisKeys(prefix: string): RedisKeys {
  // A partition's own braces must not choose the slot.
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
