import type { ChainableCommander, Cluster, Redis, RedisOptions } from 'ioredis'
import { storeError } from '../shared/errors.ts'
import { loadScript, type RedisScript } from './scripts.ts'

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
    if (!isUnknownScript(error)) throw error
    return await client.eval(lua, keys.length, ...keys, ...args)
  }
}

const isUnknownScript = (error: unknown): boolean => error instanceof Error && error.message.startsWith('NOSCRIPT')

/** Reads fields of hashes, with the server's clock in seconds and microseconds: one script, as one consistent view. */
export async function readWithTime(
  client: RedisClient,
  clock: string,
  fields: readonly (readonly [key: string, field: string])[],
): Promise<{ time: readonly unknown[]; values: (string | null)[] }> {
  if (client.isCluster) {
    const read = Promise.all(fields.map(([key, field]) => client.hget(key, field)))
    // The clock selects the node.
    const [time, values] = await Promise.all([timeOf(client, clock), read])
    return { time, values }
  }
  const keys = fields.map(([key]) => key)
  const answer = await runScript(
    client,
    loadScript,
    keys,
    fields.map(([, field]) => field),
  )
  const [seconds, micros, values] = answer as [unknown, unknown, (string | null)[]]
  return { time: [seconds, micros], values }
}

/** Returns the clock of one node, which is the same node for all processes. */
export async function timeOf(client: RedisClient, clock: string): Promise<unknown[]> {
  return (await client.eval("return redis.call('TIME')", 1, clock)) as unknown[]
}

interface Queued {
  add(pipeline: ChainableCommander): void
  resolve(value: unknown): void
  reject(error: unknown): void
}

/**
 * Sends the writes of one turn of the event loop as one pipeline, because each write to a socket is a system call. They
 * remain separate commands: each succeeds or fails by itself. A cluster sends each to its own node.
 */
export class RedisWrites {
  private readonly client: RedisClient
  private queued: Queued[] = []

  constructor(client: RedisClient) {
    this.client = client
  }

  async run(script: RedisScript, keys: readonly string[], args: readonly (string | number)[]): Promise<unknown> {
    const { client } = this
    if (client.isCluster) return await runScript(client, script, keys, args)
    try {
      return await this.send((pipeline) => pipeline.evalsha(script.sha, keys.length, ...keys, ...args))
    } catch (error) {
      if (!isUnknownScript(error)) throw error
      return await client.eval(script.lua, keys.length, ...keys, ...args)
    }
  }

  /** Removes a member of a sorted set. */
  async remove(key: string, member: string): Promise<void> {
    if (this.client.isCluster) await this.client.zrem(key, member)
    else await this.send((pipeline) => pipeline.zrem(key, member))
  }

  private send(add: Queued['add']): Promise<unknown> {
    return new Promise((resolve, reject) => {
      this.queued.push({ add, resolve, reject })
      // After all microtasks, which are the other callers that the same response has woken.
      if (this.queued.length === 1) process.nextTick(() => void this.flush())
    })
  }

  private async flush(): Promise<void> {
    const queued = this.queued
    this.queued = []
    const pipeline = this.client.pipeline()
    for (const { add } of queued) add(pipeline)
    try {
      const results = (await pipeline.exec()) ?? []
      queued.forEach(({ resolve, reject }, index) => {
        const [error, value] = results[index] ?? [new Error('Redis did not respond to a command'), undefined]
        if (error) reject(error)
        else resolve(value)
      })
    } catch (error) {
      for (const { reject } of queued) reject(error)
    }
  }
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
