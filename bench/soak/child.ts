import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import type { Said } from './messages.ts'

/** A process of the soak that takes orders. */
export interface Child<Order> {
  readonly alive: boolean
  /** How the process ended, if this process did not end it. */
  readonly died: string | undefined
  readonly gone: Promise<void>
  /** Resolves when it answered for the first time. */
  readonly ready: Promise<void>
  /** Rejects with the error of the process, and with `gone` when it died first. */
  do<T = unknown>(order: Order): Promise<T>
  signal(signal: NodeJS.Signals): void
  /** kill -9, and gone. */
  kill(): Promise<void>
}

/** `within` is put before the command: how to get into a network namespace. */
export function startChild<Order>(
  file: string,
  setup: object,
  { execArgv, within = [] }: { execArgv: readonly string[]; within?: readonly string[] },
): Child<Order> {
  const command = [...within, process.execPath, ...execArgv, join(import.meta.dirname, file), JSON.stringify(setup)]
  const child: ChildProcess = spawn(command[0] ?? '', command.slice(1), {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const waiting = new Map<number, { resolve(value: unknown): void; reject(error: Error): void }>()
  let alive = true
  let killed = false
  let died: string | undefined
  let count = 0
  const gone = new Promise<void>((resolve) => {
    child.once('exit', (code, signal) => {
      alive = false
      if (!killed) died = `${signal ?? code}`
      for (const { reject } of waiting.values()) reject(coded('gone', 'the process is gone'))
      waiting.clear()
      resolve()
    })
  })
  child.on('message', ({ id, value, error }: Said) => {
    const entry = waiting.get(id)
    waiting.delete(id)
    if (error) entry?.reject(coded(error.code, error.message))
    else entry?.resolve(value)
  })
  const answer = <T>(id: number) =>
    new Promise<T>((resolve, reject) => {
      if (!alive) return reject(coded('gone', 'the process is gone'))
      waiting.set(id, { resolve: (value) => resolve(value as T), reject })
    })
  const ready = answer<void>(0)
  ready.catch(() => {})
  return {
    get alive() {
      return alive
    },
    get died() {
      return died
    },
    gone,
    ready,
    do<T>(order: Order) {
      const id = ++count
      const answered = answer<T>(id)
      if (child.connected) child.send({ id, order }, () => {})
      return answered
    },
    signal: (signal) => void child.kill(signal),
    async kill() {
      killed = true
      child.kill('SIGKILL')
      await gone
    },
  }
}

const coded = (code: string, message: string) => Object.assign(new Error(message), { code })
