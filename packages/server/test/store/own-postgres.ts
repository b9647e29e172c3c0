import { execFileSync } from 'node:child_process'
import { chownSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '@holdpoint/conformance/free-port'
import { serverUser } from '@holdpoint/conformance/server-user'
import { onTestFinished } from 'vitest'

/** A command as the user that servers run as: PostgreSQL and pgbouncer refuse to be root. */
export function asServerUser(command: string, args: string[]): [string, string[]] {
  const [program, ...prefix] = serverUser()?.prefix ?? []
  return program === undefined ? [command, args] : [program, [...prefix, command, ...args]]
}

/** A folder that such a server may write to, gone after the test. */
export function serverFolder(): string {
  const path = mkdtempSync(join(tmpdir(), 'holdpoint-server-'))
  onTestFinished(() => rmSync(path, { recursive: true, force: true }))
  return forServer(path)
}

/** Makes it that server's own. */
export function forServer(path: string): string {
  const { uid, gid } = serverUser()?.owner ?? {}
  if (uid !== undefined && gid !== undefined) chownSync(path, uid, gid)
  return path
}

export interface OwnPostgres {
  url: string
  port: number
  start(): void
  stop(mode: 'immediate' | 'fast'): void
  /** Of a replica: from now on it takes writes. */
  promote(): void
}

/** A PostgreSQL of the test's own, that it may stop and start. `walFolder` lies elsewhere than the data when given. */
export async function ownPostgres(
  bin: string,
  { folder = serverFolder(), walFolder }: { folder?: string; walFolder?: string } = {},
): Promise<OwnPostgres> {
  const data = join(folder, 'data')
  const wal = walFolder === undefined ? [] : ['-X', join(walFolder, 'wal')]
  // Its output is not read: a server that was started would keep the pipe open.
  execFileSync(
    ...asServerUser(join(bin, 'initdb'), [
      ...['-D', data, '-A', 'trust', '-U', 'postgres', '--no-sync', '--wal-segsize=1'],
      ...wal,
    ]),
    { stdio: 'ignore' },
  )
  return await started(bin, data)
}

/** A streaming replica of it. */
export async function replicaOf(bin: string, { port }: OwnPostgres): Promise<OwnPostgres> {
  const data = join(serverFolder(), 'data')
  const from = ['-h', '127.0.0.1', '-p', `${port}`, '-U', 'postgres']
  execFileSync(
    ...asServerUser(join(bin, 'pg_basebackup'), [...from, '-D', data, '-R', '-X', 'stream', '-c', 'fast', '--no-sync']),
    { stdio: 'ignore' },
  )
  return await started(bin, data)
}

async function started(bin: string, data: string): Promise<OwnPostgres> {
  const port = await freePort()
  const ctl = (...args: string[]) => {
    execFileSync(...asServerUser(join(bin, 'pg_ctl'), ['-D', data, '-w', ...args]), { stdio: 'ignore' })
  }
  const settings = ['shared_buffers=16MB', 'max_wal_size=8MB', 'min_wal_size=2MB', 'unix_socket_directories=']
  const options = [`-h 127.0.0.1 -p ${port}`, ...settings.map((setting) => `-c ${setting}`)].join(' ')
  const start = () => ctl('start', '-l', `${data}.log`, '-o', options)
  const stop = (mode: 'immediate' | 'fast') => ctl('stop', '-m', mode)
  start()
  onTestFinished(() => {
    try {
      stop('immediate')
    } catch {
      // The test had stopped it.
    }
  })
  return {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    port,
    start,
    stop,
    promote: () => ctl('promote'),
  }
}
