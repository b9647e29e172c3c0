import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { freePort } from '@holdpoint/conformance/free-port'
import { Redis } from 'ioredis'
import { disconnect } from '../../src/store/redis/connection.ts'

/** A Redis of a test's own, to be killed, restarted and filled. */
export interface RedisServer {
  readonly port: number
  readonly url: string
  start(): Promise<void>
  kill(signal?: NodeJS.Signals): Promise<void>
  /** Kills it and removes its data. */
  dispose(): Promise<void>
}

export async function redisServer(flags: readonly string[] = []): Promise<RedisServer> {
  const folder = await mkdtemp(join(tmpdir(), 'holdpoint-redis-'))
  const port = await clusterPort()
  const url = `redis://127.0.0.1:${port}`
  let child: ChildProcess | undefined

  const kill = async (signal: NodeJS.Signals = 'SIGKILL') => {
    const running = child
    child = undefined
    if (!running || running.exitCode !== null) return
    const gone = new Promise((resolve) => running.once('exit', resolve))
    running.kill(signal)
    await gone
  }

  const server: RedisServer = {
    port,
    url,
    async start() {
      child = spawn(
        'redis-server',
        ['--port', `${port}`, '--bind', '127.0.0.1', '--dir', folder, '--save', '', ...flags],
        { stdio: 'ignore' },
      )
      await answers(url)
    },
    kill,
    async dispose() {
      await kill()
      await rm(folder, { recursive: true, force: true })
    },
  }
  await server.start()
  return server
}

/** Nodes that share the slots among them. */
export async function redisCluster(count: number): Promise<{ urls: string[]; dispose(): Promise<void> }> {
  const flags = ['--cluster-enabled', 'yes', '--cluster-node-timeout', '2000']
  const nodes = await Promise.all(Array.from({ length: count }, () => redisServer(flags)))
  const dispose = async () => void (await Promise.all(nodes.map((node) => node.dispose())))
  try {
    const hosts = nodes.map(({ port }) => `127.0.0.1:${port}`)
    await promisify(execFile)('redis-cli', ['--cluster', 'create', ...hosts, '--cluster-yes'])
    for (const { url } of nodes)
      await until(async () => (await ask(url, 'cluster', 'info')).includes('cluster_state:ok'))
  } catch (error) {
    await dispose()
    throw error
  }
  return { urls: nodes.map(({ url }) => url), dispose }
}

async function answers(url: string): Promise<void> {
  await until(async () => (await ask(url, 'ping')) === 'PONG')
}

export async function ask(url: string, command: string, ...args: string[]): Promise<string> {
  const client = new Redis(url, { retryStrategy: () => null, lazyConnect: true })
  client.on('error', () => {})
  try {
    await client.connect()
    return String(await client.call(command, ...args))
  } finally {
    await disconnect(client)
  }
}

export async function until(ready: () => Promise<boolean>, timeoutMs = 30_000): Promise<void> {
  const end = performance.now() + timeoutMs
  for (;;) {
    if (await ready().catch(() => false)) return
    if (performance.now() > end) throw new Error('It did not come true in time')
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

/** A cluster node also takes the port 10,000 above its own. */
async function clusterPort(): Promise<number> {
  for (;;) {
    const port = await freePort()
    if (port > 1_024 && port < 55_000) return port
  }
}
