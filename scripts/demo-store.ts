import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { existsSync, globSync, mkdirSync } from 'node:fs'
import { connect } from 'node:net'
import { delimiter, join } from 'node:path'
import { freePort } from './free-port.ts'

export interface DemoStore {
  /** The environment of the example. */
  env: Record<string, string>
  /** Where everything is kept, in words. */
  kept: string
  stop(): Promise<void>
}

export type DatabaseKind = 'postgres' | 'redis'

/** `--store postgres`, `--store=redis`; undefined for the file that the example keeps by itself. */
export function chosenStore(args: readonly string[]): DatabaseKind | undefined {
  const at = args.indexOf('--store')
  const kind = at < 0 ? args.find((arg) => arg.startsWith('--store='))?.slice('--store='.length) : (args[at + 1] ?? '')
  if (kind === undefined || kind === 'postgres' || kind === 'redis') return kind
  throw new Error(`There is no store "${kind}". Say --store postgres or --store redis; without it a file is used.`)
}

/**
 * The database that was asked for: yours, when DATABASE_URL or REDIS_URL says where it is; else a private one from the
 * programs that are installed here, with its data below `home`, which ends with the demo. Throws with what to do.
 */
export async function demoStore(kind: DatabaseKind, home: string): Promise<DemoStore> {
  const variable = kind === 'postgres' ? 'DATABASE_URL' : 'REDIS_URL'
  const given = process.env[variable]
  if (given) {
    return { env: { HOLDPOINT_STORE: kind, [variable]: given }, kept: `what ${variable} names`, stop: async () => {} }
  }
  const folder = join(home, kind)
  const port = await freePort(kind === 'postgres' ? 5433 : 6380)
  const child = kind === 'postgres' ? startPostgres(folder, port) : startRedis(folder, port)
  await listens(child, port, kind)
  const url = kind === 'postgres' ? `postgres://postgres@127.0.0.1:${port}/postgres` : `redis://127.0.0.1:${port}`
  return { env: { HOLDPOINT_STORE: kind, [variable]: url }, kept: folder, stop: () => end(child) }
}

function startRedis(folder: string, port: number): ChildProcess {
  const program = installed('redis-server')
  if (!program) throw missing('Redis', 'redis-server', 'REDIS_URL=redis://…')
  mkdirSync(folder, { recursive: true })
  const durable = ['--appendonly', 'yes', '--appendfsync', 'always', '--maxmemory-policy', 'noeviction']
  return spawn(program, ['--bind', '127.0.0.1', '--port', `${port}`, '--dir', folder, '--save', '', ...durable], {
    stdio: 'ignore',
    detached: true,
  })
}

function startPostgres(folder: string, port: number): ChildProcess {
  // Debian keeps them off the PATH.
  const bin = globSync('/usr/lib/postgresql/*/bin').sort().at(-1)
  const initdb = bin ? join(bin, 'initdb') : installed('initdb')
  const server = bin ? join(bin, 'postgres') : installed('postgres')
  if (!initdb || !server) throw missing('PostgreSQL', 'postgresql', 'DATABASE_URL=postgres://…')
  const run = (program: string, args: string[]): [string, string[]] => {
    const [first, ...rest] = [...notRoot(), program, ...args]
    return [first ?? program, rest]
  }
  if (!existsSync(join(folder, 'PG_VERSION'))) {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    execFileSync(...run(initdb, ['-D', folder, '-A', 'trust', '-U', 'postgres', '-E', 'UTF8']), { stdio: 'ignore' })
  }
  const settings = ['unix_socket_directories=', 'listen_addresses=127.0.0.1', `port=${port}`]
  return spawn(...run(server, ['-D', folder, ...settings.flatMap((setting) => ['-c', setting])]), {
    stdio: 'ignore',
    detached: true,
  })
}

/** PostgreSQL refuses to be root. In a user namespace root has another name, and its files are still its own. */
function notRoot(): string[] {
  if (process.getuid?.() !== 0) return []
  const way = ['unshare', '--user', '--map-user=65534', '--map-group=65534']
  try {
    execFileSync(way[0] ?? '', [...way.slice(1), 'true'], { stdio: 'ignore' })
    return way
  } catch {
    throw new Error(
      'PostgreSQL refuses to run as root. Start the demo as another user, or say where your server is: DATABASE_URL=postgres://… npx -y pnpm@12 demo --store postgres',
    )
  }
}

function installed(program: string): string | undefined {
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin']
  return folders.map((folder) => join(folder, program)).find((path) => existsSync(path))
}

function missing(name: string, program: string, variable: string): Error {
  return new Error(
    `${name} is not installed here. Install it (${program}), or say where yours is: ${variable} npx -y pnpm@12 demo --store …`,
  )
}

/** Up to a minute: a server that was killed repairs its data first. */
async function listens(child: ChildProcess, port: number, kind: string): Promise<void> {
  let failed = false
  child.once('error', () => {
    failed = true
  })
  for (let tries = 0; tries < 600; tries++) {
    if (failed || child.exitCode !== null || child.signalCode !== null) break
    if (await opens(port)) return
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  child.kill('SIGKILL')
  throw new Error(`The private ${kind} server did not start. Does another demo use its data? Stop it, or set its URL.`)
}

function opens(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })
}

/** SIGINT is a quick and orderly end for PostgreSQL; Redis takes either. */
async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGINT')
  await gone
}
