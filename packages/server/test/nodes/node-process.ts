import { type ChildProcess, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'
import type { Answer, Command, NodeSetup } from './commands.ts'

/** Below the limit of each test, which would not say what did not come. */
const SLOW_MS = 18_000
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
  /** Resolves when the process has ended. */
  readonly gone: Promise<void>
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

  /** Returns the response of the node to this message, once. */
  const answer = <T>(id: number, what: string) =>
    new Promise<T>((resolve, reject) => {
      const late = () => reject(new Error(`${setup.name} said nothing to ${what} within ${SLOW_MS / 1_000} s`))
      const timer = setTimeout(late, SLOW_MS)
      const settle =
        <V>(then: (value: V) => void) =>
        (value: V) => {
          clearTimeout(timer)
          then(value)
        }
      waiting.set(id, { resolve: settle((value: unknown) => resolve(value as T)), reject: settle(reject) })
    })

  const port = await answer<number>(0, 'its start')
  return {
    name: setup.name,
    url: `http://127.0.0.1:${port}`,
    do: <T>(command: Command) => {
      const id = ++count
      const answered = answer<T>(id, JSON.stringify(command))
      child.send({ id, command })
      return answered
    },
    signal: (signal) => void child.kill(signal),
    kill,
    gone,
  }
}
