import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '@holdpoint/conformance/free-port'
import { asServerUser } from './own-postgres.ts'

/** A pgbouncer in transaction mode in front of a database: hardly more server connections than one, nothing ignored. */
export async function startPgbouncer(
  program: string,
  url: string,
): Promise<{ url: string; stop: () => Promise<void> }> {
  const target = new URL(url)
  const port = await freePort()
  const folder = mkdtempSync(join(tmpdir(), 'holdpoint-pgbouncer-'))
  chmodSync(folder, 0o755)
  const file = join(folder, 'pgbouncer.ini')
  const database = target.pathname.slice(1) || 'postgres'
  const login = `user=${target.username || 'postgres'}${target.password && ` password=${target.password}`}`
  writeFileSync(
    file,
    `[databases]
${database} = host=${target.hostname} port=${target.port || 5432} dbname=${database} ${login}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = 3
max_client_conn = 500
`,
  )
  const [command, args] = asServerUser(program, ['-q', file])
  const child = spawn(command, args, { stdio: ['ignore', 'ignore', 'pipe'] })
  let complaint = ''
  child.stderr.on('data', (text) => {
    complaint += text
  })
  const exited = once(child, 'exit')
  for (let tries = 0; !(await answers(port)); tries++) {
    if (child.exitCode !== null || tries > 200) throw new Error(`pgbouncer does not answer: ${complaint}`)
    await sleep(20)
  }
  return {
    url: `postgres://postgres@127.0.0.1:${port}/${database}`,
    async stop() {
      child.kill('SIGINT')
      await exited
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })
}
