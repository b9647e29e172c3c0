import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'
import type { StoreSetup } from './commands.ts'

const CHILD = fileURLToPath(new URL('./function.child.ts', import.meta.url))

export interface FunctionSetup {
  name: string
  store: StoreSetup
  effects: string
  /** The end of the process after a request. */
  after: 'exit' | 'freeze'
  waiting?: 'inline' | 'suspend'
  maxDurationMs?: number
}

export type FunctionRequest =
  | { type: 'tick' }
  | { type: 'run' | 'decide' | 'bare'; sessionId: string; mark: string; pauseMs?: number }
  | { type: 'http'; sessionId: string; path: string; body?: unknown }

export type FunctionAnswer = { id: number; value?: unknown; error?: string; done?: boolean }

/** An instance of a function. Between two requests it is gone, or stopped in its tracks. */
export interface FunctionProcess {
  /**
   * Resolves with the response once the process has ended or is frozen: when it has done what it had still to do, or
   * when `freezeOn` resolves.
   */
  request<T = unknown>(request: FunctionRequest, options?: { freezeOn?: () => Promise<void> }): Promise<T>
  /** Lets a frozen instance run until it has done what it had still to do. */
  wake(): Promise<void>
}

export function startFunction(setup: FunctionSetup): FunctionProcess {
  const child = spawn(
    process.execPath,
    ['--conditions=holdpoint-source', '--disable-warning=ExperimentalWarning', CHILD, JSON.stringify(setup)],
    { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] },
  )
  const listeners = new Set<(answer: FunctionAnswer | undefined) => void>()
  const tell = (answer?: FunctionAnswer) => {
    for (const listener of [...listeners]) listener(answer)
  }
  child.on('message', (answer: FunctionAnswer) => tell(answer))
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  void exited.then(() => tell())
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await exited
  })
  let count = 0
  let done: Promise<FunctionAnswer> = Promise.resolve({ id: 0 })

  const heard = (matches: (answer: FunctionAnswer) => boolean) =>
    new Promise<FunctionAnswer>((resolve, reject) => {
      const listener = (answer: FunctionAnswer | undefined) => {
        if (answer && !matches(answer)) return
        listeners.delete(listener)
        if (answer) resolve(answer)
        else reject(new Error(`the function ${setup.name} ended before it had answered`))
      }
      listeners.add(listener)
    })

  return {
    async request<T>(request: FunctionRequest, { freezeOn }: { freezeOn?: () => Promise<void> } = {}) {
      child.kill('SIGCONT')
      const id = ++count
      const response = heard((answer) => answer.id === id && !answer.done)
      done = heard((answer) => answer.id === id && answer.done === true)
      done.catch(() => {})
      child.send({ id, request })
      const { value, error } = await response
      await (freezeOn?.() ?? done)
      if (setup.after === 'exit') await exited
      else child.kill('SIGSTOP')
      if (error !== undefined) throw new Error(error)
      return value as T
    },
    async wake() {
      child.kill('SIGCONT')
      await done
    },
  }
}
