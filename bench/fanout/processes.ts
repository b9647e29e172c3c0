import { type ChildProcess, execFileSync, fork, spawn } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Connect } from './clients.ts'

const file = (name: string) => join(import.meta.dirname, name)

/** Sends a message to a child, and waits for the first of its messages that has this key. */
export async function ask<T>(child: ChildProcess, message: object | null, key: string): Promise<T> {
  const answer = new Promise<T>((resolve, reject) => {
    const onMessage = (answer: Record<string, T>) => {
      if (!(key in answer)) return
      child.off('message', onMessage)
      child.off('exit', onExit)
      resolve(answer[key] as T)
    }
    const onExit = (code: number | null) => reject(new Error(`a process ended (${code}) that should say "${key}"`))
    child.on('message', onMessage)
    child.on('exit', onExit)
  })
  if (message) child.send(message)
  return answer
}

export interface ServerProcess {
  port: number
  request: string[]
  child: ChildProcess
}

export async function startServer(name: string): Promise<ServerProcess> {
  const child = fork(file('server-process.ts'), [name], { execArgv: [...process.execArgv, '--expose-gc'] })
  const ready = await ask<{ port: number; request: string[] }>(child, null, 'ready')
  return { ...ready, child }
}

/** Ends a server and, first, the connections to it. */
export async function stop(server: ServerProcess, clients: ChildProcess | null): Promise<void> {
  if (clients) await ask(clients, { close: true }, 'closed')
  const gone = new Promise((resolve) => server.child.once('exit', resolve))
  server.child.kill()
  await gone
}

export function startClients(): ChildProcess {
  return fork(file('clients.ts'))
}

export async function connectAll(clients: ChildProcess, message: Connect): Promise<void> {
  await ask(clients, { connect: message }, 'connected')
}

/** The C program, or null where there is no compiler. */
export function compileRawWrite(): string | null {
  const out = join(mkdtempSync(join(tmpdir(), 'holdpoint-bench-')), 'raw-write')
  try {
    execFileSync('cc', ['-O2', '-o', out, file('raw-write.c')], { stdio: 'ignore' })
    return out
  } catch {
    return null
  }
}

export async function startRawWrite(program: string, connections: number, size: number) {
  const child = spawn(program, [String(connections), String(size)], { stdio: ['pipe', 'pipe', 'inherit'] })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const port = Number((await lines.next()).value)
  return {
    port,
    child,
    /** CPU time in microseconds. */
    async emit(events: number, gapMicros: number): Promise<number> {
      child.stdin.write(`${events} ${gapMicros}\n`)
      return Number((await lines.next()).value)
    },
  }
}
