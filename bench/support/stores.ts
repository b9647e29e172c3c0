import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '@holdpoint/conformance/free-port'
import { memoryStore } from '@holdpoint/server/memory'
import { postgresStore } from '@holdpoint/server/postgres'
import { redisStore } from '@holdpoint/server/redis'
import { sqliteStore } from '@holdpoint/server/sqlite'
import type { Store } from '@holdpoint/server/store'
import pg from 'pg'

/** The location of a store, in a form that another process can use. */
export type Place =
  | { kind: 'memory' }
  | { kind: 'sqlite'; path: string }
  | { kind: 'postgres'; url: string; schema: string }
  | { kind: 'redis'; url: string; prefix: string }

export function storeAt(place: Place): Store {
  switch (place.kind) {
    case 'memory':
      return memoryStore()
    case 'sqlite':
      return sqliteStore({ path: place.path })
    case 'postgres':
      return postgresStore({ connectionString: place.url, schema: place.schema })
    case 'redis':
      return redisStore({ url: place.url, prefix: place.prefix })
  }
}

export interface Places {
  /** A new, empty place. */
  make(): Place
  /** Removes everything that was made. */
  dispose(): Promise<void>
}

/** Returns the databases that respond here. Missing ones are reported and left out. */
export async function databases(): Promise<Map<'sqlite' | 'postgres' | 'redis', Places>> {
  const found = new Map<'sqlite' | 'postgres' | 'redis', Places>([['sqlite', files()]])
  const postgres = process.env.DATABASE_URL ?? 'postgres://postgres@127.0.0.1:5432/postgres'
  if (await answers(new URL(postgres).hostname, Number(new URL(postgres).port) || 5432)) {
    found.set('postgres', schemas(postgres))
  } else console.log('PostgreSQL does not answer: left out')
  const redis = await ownRedis()
  if (redis) found.set('redis', redis)
  else console.log('redis-server is not installed: left out')
  return found
}

function files(): Places {
  const folder = mkdtempSync(join(tmpdir(), 'holdpoint-bench-'))
  let count = 0
  return {
    make: () => ({ kind: 'sqlite', path: join(folder, `${++count}.db`) }),
    dispose: async () => rmSync(folder, { recursive: true, force: true }),
  }
}

function schemas(url: string): Places {
  const made: string[] = []
  return {
    make() {
      const schema = `bench_${process.pid}_${made.length}`
      made.push(schema)
      return { kind: 'postgres', url, schema }
    },
    async dispose() {
      const client = new pg.Client(url)
      await client.connect()
      for (const schema of made) await client.query(`DROP SCHEMA IF EXISTS ${schema} CASCADE`)
      await client.end()
    },
  }
}

/** A server of this benchmark's own, so that a million events are gone with it. It flushes to disk each second, as Redis does unless told otherwise. */
async function ownRedis(): Promise<Places | undefined> {
  try {
    execFileSync('redis-server', ['--version'], { stdio: 'ignore' })
  } catch {
    return undefined
  }
  const folder = mkdtempSync(join(tmpdir(), 'holdpoint-bench-'))
  const port = await freePort()
  const flags = ['--save', '', '--appendonly', 'yes', '--appendfsync', 'everysec', '--auto-aof-rewrite-percentage', '0']
  const child: ChildProcess = spawn(
    'redis-server',
    ['--bind', '127.0.0.1', '--port', `${port}`, '--dir', folder, '--databases', '64', ...flags],
    { stdio: 'ignore' },
  )
  // Also when the benchmark fails.
  process.once('exit', () => child.kill('SIGKILL'))
  while (!(await answers('127.0.0.1', port))) await new Promise((resolve) => setTimeout(resolve, 20))
  let count = 0
  return {
    // A database each: they share nothing but the process.
    make: () => ({ kind: 'redis', url: `redis://127.0.0.1:${port}/${count++}`, prefix: 'holdpoint' }),
    async dispose() {
      const gone = new Promise((resolve) => child.once('exit', resolve))
      child.kill('SIGKILL')
      await gone
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function answers(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, timeout: 2_000 })
    const end = (open: boolean) => {
      socket.destroy()
      resolve(open)
    }
    socket.once('connect', () => end(true))
    socket.once('timeout', () => end(false))
    socket.once('error', () => end(false))
  })
}
