import { spawn, spawnSync } from 'node:child_process'
import { appendFileSync, chownSync, globSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '@holdpoint/conformance/free-port'
import { serverUser } from '@holdpoint/conformance/server-user'
import type { Place } from '../support/stores.ts'

export type StoreKind = 'sqlite' | 'postgres' | 'redis'

/** A store that is there for one soak, and that may be stopped. */
export interface OwnStore {
  readonly port: number
  /** Seen from a place that finds it at this address. */
  place(at: { host: string; port: number }): Exclude<Place, { kind: 'memory' }>
  /** It goes wrong; well again when this resolves. */
  fail(ms: number, chance: number): Promise<void>
  dispose(): Promise<void>
}

/** Throws when its programs are not installed, and says which. */
export async function ownStore(kind: StoreKind, folder: string, hosts: readonly string[]): Promise<OwnStore> {
  if (kind === 'sqlite') return file(folder)
  return kind === 'postgres' ? await postgres(hosts) : await redis(folder, hosts)
}

/** Why this store cannot be had here; undefined when it can. */
export function whyNot(kind: StoreKind): string | undefined {
  if (kind === 'postgres' && !postgresBin()) return 'PostgreSQL is not installed below /usr/lib/postgresql'
  if (kind === 'postgres' && !serverUser()) return 'there is no user here as whom PostgreSQL could run'
  const missing = kind === 'redis' && spawnSync('redis-server', ['--version'], { stdio: 'ignore' }).error
  return missing ? 'redis-server is not installed' : undefined
}

function file(folder: string): OwnStore {
  const path = join(folder, 'data.db')
  return {
    port: 0,
    place: () => ({ kind: 'sqlite', path }),
    /** A long transaction of another client: a backup, a migration. Sometimes longer than the timeout of a writer. */
    async fail(ms) {
      const other = new DatabaseSync(path, { timeout: 2_000 })
      try {
        other.exec('BEGIN IMMEDIATE')
        await sleep(ms * 2)
        other.exec('ROLLBACK')
      } catch {
        // A node that was stopped while it wrote has the lock: contention enough.
      } finally {
        other.close()
      }
    },
    dispose: async () => {},
  }
}

async function redis(folder: string, hosts: readonly string[]): Promise<OwnStore> {
  const port = await freePort()
  // As durable as it can be: what is compared at the end is what was acknowledged.
  const flags = ['--save', '', '--appendonly', 'yes', '--appendfsync', 'always', '--protected-mode', 'no']
  const start = async () => {
    const child = spawn('redis-server', ['--bind', ...hosts, '--port', `${port}`, '--dir', folder, ...flags], {
      stdio: 'ignore',
    })
    const ping = () => spawnSync('redis-cli', ['-p', `${port}`, 'ping'], { encoding: 'utf8' }).stdout
    while (ping()?.trim() !== 'PONG') await sleep(50)
    return child
  }
  let child = await start()
  const end = async () => {
    const gone = new Promise((resolve) => child.once('exit', resolve))
    child.kill('SIGKILL')
    await gone
  }
  return {
    port,
    place: (at) => ({ kind: 'redis', url: `redis://${at.host}:${at.port}`, prefix: 'soak' }),
    async fail(ms) {
      await end()
      await sleep(ms)
      child = await start()
    },
    dispose: end,
  }
}

const postgresBin = () => globSync('/usr/lib/postgresql/*/bin').sort().at(-1)

async function postgres(hosts: readonly string[]): Promise<OwnStore> {
  const bin = postgresBin() ?? ''
  const user = serverUser() ?? { prefix: [] }
  const home = mkdtempSync(join(tmpdir(), 'holdpoint-soak-'))
  if (user.owner) chownSync(home, user.owner.uid, user.owner.gid)
  const run = async (program: string, ...args: string[]) => {
    const [command = '', ...rest] = [...user.prefix, join(bin, program), ...args]
    // Its output is not read: a server that was started would keep the pipe open.
    await new Promise<void>((resolve, reject) => {
      const child = spawn(command, rest, { stdio: 'ignore' })
      child.once('error', reject)
      child.once('exit', (code) => (code === 0 ? resolve() : reject(new Error(`${program} ended with ${code}`))))
    })
  }
  const data = join(home, 'data')
  await run('initdb', '-D', data, '-A', 'trust', '-U', 'postgres', '--no-sync')
  appendFileSync(join(data, 'pg_hba.conf'), 'host all all samenet trust\n')
  const port = await freePort()
  const settings = [
    `listen_addresses=${hosts.join(',')}`,
    `port=${port}`,
    'unix_socket_directories=',
    'shared_buffers=32MB',
  ]
  appendFileSync(join(data, 'postgresql.conf'), settings.map((line) => `${line.replace('=', " = '")}'\n`).join(''))
  const start = () => run('pg_ctl', '-D', data, '-w', '-l', join(home, 'log'), 'start')
  const stop = (mode: string) => run('pg_ctl', '-D', data, '-w', '-m', mode, 'stop')
  await start()
  return {
    port,
    place: (at) => ({ kind: 'postgres', url: `postgres://postgres@${at.host}:${at.port}/postgres`, schema: 'soak' }),
    async fail(ms, chance) {
      await stop(chance < 0.6 ? 'immediate' : 'fast')
      await sleep(ms)
      await start()
    },
    async dispose() {
      await stop('immediate').catch(() => {})
      rmSync(home, { recursive: true, force: true })
    },
  }
}
