import { type ChildProcess, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'
import type { Answer, Command, NodeSetup } from './commands.ts'

const CHILD = fileURLToPath(new URL('./node.child.ts', import.meta.url))

/** A real process with a Holdpoint in it. */
export interface NodeProcess {
  readonly name: string
  readonly url: string
  /** Rejects with the node's error, or when the node dies before it answered. */
  do<T = unknown>(command: Command): Promise<T>
  signal(signal: NodeJS.Signals): void
  /** kill -9, and gone. */
  kill(): Promise<void>
}

export async function startNode(setup: NodeSetup): Promise<NodeProcess> {
  const child: ChildProcess = spawn(
    process.execPath,
    ['--conditions=holdpoint-source', '--disable-warning=ExperimentalWarning', CHILD, JSON.stringify(setup)],
    { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] },
  )
  const waiting = new Map<number, { resolve(value: unknown): void; reject(error: Error): void }>()
  let count = 0

  const gone = new Promise<void>((resolve) => {
    child.once('exit', () => {
      for (const { reject } of waiting.values()) reject(Object.assign(new Error('the node is gone'), { code: 'gone' }))
      resolve()
    })
  })
  child.on('message', ({ id, value, error }: Answer) => {
    const entry = waiting.get(id)
    waiting.delete(id)
    if (error) entry?.reject(Object.assign(new Error(error.message), { code: error.code }))
    else entry?.resolve(value)
  })
  const kill = async () => {
    child.kill('SIGKILL')
    await gone
  }
  onTestFinished(kill)

  const port = await new Promise<unknown>((resolve, reject) => waiting.set(0, { resolve, reject }))
  return {
    name: setup.name,
    url: `http://127.0.0.1:${port}`,
    do: <T>(command: Command) =>
      new Promise<T>((resolve, reject) => {
        const id = ++count
        waiting.set(id, { resolve: (value) => resolve(value as T), reject })
        child.send({ id, command })
      }),
    signal: (signal) => void child.kill(signal),
    kill,
  }
}
