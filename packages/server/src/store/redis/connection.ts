import type { ChainableCommander, Cluster, Redis, RedisOptions } from 'ioredis'
import { storeError } from '../shared/errors.ts'
import type { RedisScript } from './scripts.ts'

export type RedisClient = Redis | Cluster

/**
 * Options that switch off automatic retries. A command whose response was lost may have been executed, so a retry could
 * append an event twice. The caller gets `store_unavailable` and reads before it tries again.
 */
const noRetryOptions = {
  autoResendUnfulfilledCommands: false,
  // Pending commands fail at once when the connection is lost, not at their timeout.
  maxRetriesPerRequest: 0,
  commandTimeout: 5_000,
  connectTimeout: 5_000,
  retryStrategy: (times: number) => Math.min(times * 50, 2_000),
} satisfies RedisOptions

/** Connects to a URL or to the nodes of a cluster, or returns the client of the host's function. */
export async function connectRedis(source: string | readonly string[] | (() => RedisClient)): Promise<RedisClient> {
  if (typeof source === 'function') return source()
  const { Cluster, Redis } = await import('ioredis').catch((cause: unknown) => {
    throw storeError(
      'store_unavailable',
      'redisStore needs the package "ioredis", which is not installed. Add it: npm install ioredis.',
      { cause },
    )
  })
  if (typeof source === 'string') return new Redis(source, noRetryOptions)
  const nodes = source.map((url) => {
    const { hostname, port } = new URL(url)
    return { host: hostname, port: Number(port) || 6379 }
  })
  const [{ username, password }] = [new URL(source[0] ?? 'redis://127.0.0.1')]
  return new Cluster(nodes, {
    clusterRetryStrategy: (times) => Math.min(100 + times * 50, 2_000),
    redisOptions: {
      ...noRetryOptions,
      ...(username !== '' && { username: decodeURIComponent(username) }),
      ...(password !== '' && { password: decodeURIComponent(password) }),
    },
  })
}

/** Runs a script by its digest, or with its text if the server has not loaded it yet. */
export async function runScript(
  client: RedisClient,
  { lua, sha }: RedisScript,
  keys: readonly string[],
  args: readonly (string | number)[],
): Promise<unknown> {
  try {
    return await client.evalsha(sha, keys.length, ...keys, ...args)
  } catch (error) {
    if (!(error instanceof Error) || !error.message.startsWith('NOSCRIPT')) throw error
    return await client.eval(lua, keys.length, ...keys, ...args)
  }
}

/** Reads fields of hashes. On a single server it sends them as one pipeline, so that the server wakes once. */
export async function readTogether(
  client: RedisClient,
  fields: readonly (readonly [key: string, field: string])[],
): Promise<(string | null)[]> {
  if (client.isCluster || fields.length < 2) {
    return await Promise.all(fields.map(([key, field]) => client.hget(key, field)))
  }
  const pipeline = client.pipeline()
  for (const [key, field] of fields) pipeline.hget(key, field)
  return await valuesOf<string | null>(pipeline)
}

/**
 * Reads fields like `readTogether`, and the server's clock in seconds and microseconds. `clock` selects the node of a
 * cluster.
 */
export async function readWithTime(
  client: RedisClient,
  clock: string,
  fields: readonly (readonly [key: string, field: string])[],
): Promise<{ time: readonly unknown[]; values: (string | null)[] }> {
  if (client.isCluster) {
    const [time, values] = await Promise.all([timeOf(client, clock), readTogether(client, fields)])
    return { time, values }
  }
  const pipeline = client.pipeline().time()
  for (const [key, field] of fields) pipeline.hget(key, field)
  const [time, ...values] = await valuesOf(pipeline)
  return { time: time as unknown[], values: values as (string | null)[] }
}

/** Returns the clock of one node, which is the same node for all processes. */
export async function timeOf(client: RedisClient, clock: string): Promise<unknown[]> {
  return (await client.eval("return redis.call('TIME')", 1, clock)) as unknown[]
}

async function valuesOf<T>(pipeline: ChainableCommander): Promise<T[]> {
  const results = (await pipeline.exec()) ?? []
  return results.map(([error, value]) => {
    if (error) throw error
    return value as T
  })
}

/** The index entries of a row that is about to be written. */
export interface IndexEntry {
  key: string
  score: number
  member: string
}

/**
 * Writes entries and then runs the script that writes their rows. On one server this is one transaction and one round
 * trip; on a cluster the entries are on other nodes, so they are written first.
 */
export async function runAfter(
  client: RedisClient,
  entries: readonly IndexEntry[],
  script: RedisScript,
  keys: readonly string[],
  args: readonly (string | number)[],
): Promise<unknown> {
  if (client.isCluster || entries.length === 0) {
    await Promise.all(entries.map(({ key, score, member }) => client.zadd(key, score, member)))
    return await runScript(client, script, keys, args)
  }
  const transaction = client.multi()
  for (const { key, score, member } of entries) transaction.zadd(key, score, member)
  transaction.evalsha(script.sha, keys.length, ...keys, ...args)
  const results = (await transaction.exec().catch(throwCause)) ?? []
  const [error, answer] = results.at(-1) ?? [new Error('EXEC was not answered'), null]
  // The entries remain, which is harmless, because no row matches them.
  if (error?.message.startsWith('NOSCRIPT')) return await client.eval(script.lua, keys.length, ...keys, ...args)
  for (const [failed] of results) if (failed) throw failed
  return answer
}

/** Throws the first error of a transaction, because its own error only says that there were previous errors. */
function throwCause(error: Error & { previousErrors?: Error[] }): never {
  throw error.previousErrors?.[0] ?? error
}

/** Resolves when the socket is closed, so that a process that closes its store can end. */
export async function disconnect(client: RedisClient): Promise<void> {
  // Between two attempts to connect, there is no socket to wait for.
  if (client.status !== 'ready') return client.disconnect()
  const ended = new Promise<void>((resolve) => {
    client.once('end', () => resolve())
  })
  await client.quit().catch(() => client.disconnect())
  await ended
}
