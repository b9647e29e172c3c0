import type { Cluster, Redis, RedisOptions } from 'ioredis'
import { storeError } from '../errors.ts'
import type { RedisScript } from './scripts.ts'

export type RedisClient = Redis | Cluster

/**
 * A command whose answer was lost may have been carried out: a client that sends it again by itself would append an
 * event twice. So nothing is sent again here; whoever asked hears `store_unavailable` and looks before asking again.
 */
const careful = {
  autoResendUnfulfilledCommands: false,
  // Whatever is under way when the connection goes fails at once, not when its time is up.
  maxRetriesPerRequest: 0,
  commandTimeout: 5_000,
  connectTimeout: 5_000,
  retryStrategy: (times: number) => Math.min(times * 50, 2_000),
} satisfies RedisOptions

/** Connects to a URL, to several nodes of a cluster, or through what the host made. */
export async function connectRedis(source: string | readonly string[] | (() => RedisClient)): Promise<RedisClient> {
  if (typeof source === 'function') return source()
  const { Cluster, Redis } = await import('ioredis').catch((cause: unknown) => {
    throw storeError(
      'store_unavailable',
      'redisStore needs the package "ioredis", which is not installed. Add it: npm install ioredis.',
      { cause },
    )
  })
  if (typeof source === 'string') return new Redis(source, careful)
  const nodes = source.map((url) => {
    const { hostname, port } = new URL(url)
    return { host: hostname, port: Number(port) || 6379 }
  })
  const [{ username, password }] = [new URL(source[0] ?? 'redis://127.0.0.1')]
  return new Cluster(nodes, {
    clusterRetryStrategy: (times) => Math.min(100 + times * 50, 2_000),
    redisOptions: {
      ...careful,
      ...(username !== '' && { username: decodeURIComponent(username) }),
      ...(password !== '' && { password: decodeURIComponent(password) }),
    },
  })
}

/** Runs a script by its digest; with its text where the server does not know it yet. */
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

/** Resolves when the socket is gone: a process that closes its store must be able to end. */
export async function disconnect(client: RedisClient): Promise<void> {
  // Between two attempts to connect there is no socket, and nothing would say that it ended.
  if (client.status !== 'ready') return client.disconnect()
  const ended = new Promise<void>((resolve) => {
    client.once('end', () => resolve())
  })
  await client.quit().catch(() => client.disconnect())
  await ended
}
