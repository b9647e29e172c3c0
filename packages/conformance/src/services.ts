import { accessSync, constants, globSync } from 'node:fs'
import { connect } from 'node:net'
import { delimiter, dirname, join } from 'node:path'
import { describe } from 'vitest'
import { serverUser } from './server-user.ts'

declare module 'vitest' {
  interface TaskMeta {
    /** The missing service for which a suite is skipped. The reporter reads it. */
    missingService?: string
  }
}

/** A real service for tests: its address, or the reason why its tests are skipped. */
export type Found = { readonly value: string } | { readonly skip: string }

/** The URL of a running PostgreSQL: `DATABASE_URL`, or `postgres@127.0.0.1:5432`. */
export function postgresUrl(): Promise<Found> {
  return answering(
    'PostgreSQL',
    'DATABASE_URL',
    process.env.DATABASE_URL ?? 'postgres://postgres@127.0.0.1:5432/postgres',
  )
}

/** The URL of a running Redis: `REDIS_URL`, or `127.0.0.1:6379`. */
export function redisUrl(): Promise<Found> {
  return answering('Redis', 'REDIS_URL', process.env.REDIS_URL ?? 'redis://127.0.0.1:6379')
}

/** The path of a program such as `nginx` or `pgbouncer`. Searches `folders` before the PATH. */
export function has(program: string, folders: readonly string[] = []): Found {
  if (areHidden()) return missing(program)
  if (areAssumed()) return { value: program }
  const all = [...folders, ...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin']
  const path = all.map((folder) => join(folder, program)).find(isExecutable)
  return path ? { value: path } : missing(`${program} is not installed`)
}

/** The folder of PostgreSQL's own programs, for tests that start a server of their own. Debian keeps it off the PATH. */
export function postgresPrograms(): Found {
  const initdb = has('initdb', globSync('/usr/lib/postgresql/*/bin').sort().reverse())
  if ('skip' in initdb) return initdb
  if (serverUser()) return { value: dirname(initdb.value) }
  return { skip: 'initdb needs a user that is not root and can write to /dev/null, and this machine has none' }
}

/**
 * A suite that needs a service. Without the service each of its tests is skipped with the reason, so that the report
 * still names the tests; the body runs with an empty value to collect them. Under `HOLDPOINT_REQUIRE_SERVICES=1` a
 * missing service has already thrown.
 *
 * @example
 * describeWith('the Postgres store', await postgresUrl(), (url) => {
 *   test('an empty table has no rows', async () => expect(await rowsAt(url)).toEqual([]))
 * })
 */
export function describeWith(name: string, found: Found, body: (value: string) => void): void {
  if ('value' in found) describe(name, () => body(found.value))
  else describe(name, { skip: true, meta: { missingService: found.skip } }, () => body(''))
}

/** `HOLDPOINT_SERVICES=none` hides all services, so that tests run as on a machine without them. */
const areHidden = () => process.env.HOLDPOINT_SERVICES === 'none'

/** `HOLDPOINT_SERVICES=assumed` reports every service as present, to list all tests without running them. */
const areAssumed = () => process.env.HOLDPOINT_SERVICES === 'assumed'

async function answering(name: string, variable: string, url: string): Promise<Found> {
  if (areHidden()) return missing(name)
  if (areAssumed()) return { value: url }
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

function missing(what: string): Found {
  const skip = areHidden()
    ? `${what} is hidden by HOLDPOINT_SERVICES=none`
    : `${what} (install it with scripts/services.sh)`
  if (process.env.HOLDPOINT_REQUIRE_SERVICES === '1') throw new Error(skip)
  return { skip }
}
