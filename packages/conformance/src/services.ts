import { accessSync, constants } from 'node:fs'
import { connect } from 'node:net'
import { delimiter, join } from 'node:path'
import { describe, test } from 'vitest'

/** A real service that tests use: where it is, or why the tests that need it are skipped. */
export type Found = { readonly value: string } | { readonly skip: string }

/** The URL of a PostgreSQL that answers: `DATABASE_URL`, else `postgres@127.0.0.1:5432`. */
export function postgresUrl(): Promise<Found> {
  return answering(
    'PostgreSQL',
    'DATABASE_URL',
    process.env.DATABASE_URL ?? 'postgres://postgres@127.0.0.1:5432/postgres',
  )
}

/** The URL of a Redis that answers: `REDIS_URL`, else `127.0.0.1:6379`. */
export function redisUrl(): Promise<Found> {
  return answering('Redis', 'REDIS_URL', process.env.REDIS_URL ?? 'redis://127.0.0.1:6379')
}

/** The path of a program, such as `nginx` or `pgbouncer`. */
export function has(program: string): Found {
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin']
  const path = folders.map((folder) => join(folder, program)).find(isExecutable)
  return path ? { value: path } : missing(`${program} is not installed`)
}

/**
 * A suite that needs a service. Without it the suite is one skipped test that names the reason;
 * under `HOLDPOINT_REQUIRE_SERVICES=1` a missing service has already thrown.
 *
 * @example
 * describeWith('the Postgres store', await postgresUrl(), (url) => {
 *   test('…', async () => { … })
 * })
 */
export function describeWith(name: string, found: Found, body: (value: string) => void): void {
  describe(name, () => {
    if ('value' in found) body(found.value)
    else test('needs a service', (context) => context.skip(found.skip))
  })
}

async function answering(name: string, variable: string, url: string): Promise<Found> {
  const { hostname, port } = new URL(url)
  const host = hostname.replace(/^\[(.*)\]$/, '$1') || '127.0.0.1'
  const open = await opens(host, Number(port) || (name === 'Redis' ? 6379 : 5432))
  return open ? { value: url } : missing(`${name} does not answer at ${host}: start it or set ${variable}`)
}

function opens(host: string, port: number): Promise<boolean> {
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

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

function missing(reason: string): Found {
  const skip = `${reason} (scripts/services.sh brings it)`
  if (process.env.HOLDPOINT_REQUIRE_SERVICES === '1') throw new Error(skip)
  return { skip }
}
