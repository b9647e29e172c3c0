import { execFileSync } from 'node:child_process'
import { chownSync, globSync, mkdtempSync, rmSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Found, has } from '@holdpoint/conformance/services'
import { onTestFinished } from 'vitest'

/** Where PostgreSQL's own programs are (Debian keeps them off the PATH), or why a server cannot be made here. */
export function initdb(): Found {
  const bin = globSync('/usr/lib/postgresql/*/bin').sort().at(-1)
  if (!bin) return has('initdb')
  try {
    execFileSync(...asServerUser('sh', ['-c', ': > /dev/null']), { stdio: 'ignore' })
    return { value: bin }
  } catch {
    return { skip: 'initdb needs a /dev/null that every user may write to, and this machine has none' }
  }
}

/** A port that nobody has, as far as can be known. */
export async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

/** A command as the user that servers run as: PostgreSQL and pgbouncer refuse to be root. */
export function asServerUser(command: string, args: string[]): [string, string[]] {
  if (process.getuid?.() !== 0) return [command, args]
  return ['setpriv', ['--reuid=postgres', '--regid=postgres', '--clear-groups', command, ...args]]
}

/** A folder that such a server may write to, gone after the test. */
export function serverFolder(): string {
  const path = mkdtempSync(join(tmpdir(), 'holdpoint-server-'))
  if (process.getuid?.() === 0) {
    const [uid, gid] = ['-u', '-g'].map((flag) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' })))
    chownSync(path, uid ?? 0, gid ?? 0)
  }
  onTestFinished(() => rmSync(path, { recursive: true, force: true }))
  return path
}

/** A PostgreSQL of the test's own, that it may stop and start. */
export async function ownPostgres(bin: string) {
  const data = join(serverFolder(), 'data')
  const port = await freePort()
  // Its output is not read: a server that was started would keep the pipe open.
  const run = (program: string, ...args: string[]) => {
    execFileSync(...asServerUser(join(bin, program), ['-D', data, ...args]), { stdio: 'ignore' })
  }
  const ctl = (...args: string[]) => run('pg_ctl', '-w', ...args)
  run('initdb', '-A', 'trust', '-U', 'postgres', '--no-sync')
  const start = () =>
    ctl(
      'start',
      '-l',
      join(data, 'log'),
      '-o',
      `-h 127.0.0.1 -p ${port} -c unix_socket_directories= -c shared_buffers=16MB`,
    )
  const stop = (mode: 'immediate' | 'fast') => ctl('stop', '-m', mode)
  start()
  onTestFinished(() => {
    try {
      stop('immediate')
    } catch {
      // The test had stopped it.
    }
  })
  return { url: `postgres://postgres@127.0.0.1:${port}/postgres`, start, stop }
}
