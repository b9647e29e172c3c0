import { type ChildProcess, fork } from 'node:child_process'
import { join } from 'node:path'
import type { Outcome } from '../../scripts/mutate-runner.ts'

export interface TestRunner {
  /** Runs test files in this order until the first failure; `changed` is the source that is not what it was. */
  run(files: readonly string[], changed?: string): Promise<Outcome>
  close(): void
}

/** Longer than the limit of any single test here: who says nothing for so long is in a loop. */
const SILENCE_MS = 90_000

/**
 * Vitest, kept warm in a separate process, because starting it costs more than most mutants. A mutant with an endless
 * loop takes that process with it; the next run starts another.
 */
export function createTestRunner(root: string): TestRunner {
  let child: ChildProcess | undefined

  const start = () => {
    const { env } = process
    child = fork(join(root, 'scripts/mutate-runner.ts'), {
      cwd: root,
      // A group of its own, so that what tests started ends with it.
      detached: true,
      env: { ...env, NODE_ENV: 'test', HOLDPOINT_KILLS: '5' },
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    })
    return child
  }
  const close = () => {
    if (child?.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGKILL')
    child = undefined
  }

  return {
    run(files, changed) {
      const runner = child ?? start()
      return new Promise((resolve) => {
        const end = (outcome: Outcome) => {
          clearTimeout(timer)
          runner.off('message', hear).off('exit', gone)
          resolve(outcome)
        }
        const hear = (said: Outcome | 'alive') => (said === 'alive' ? timer.refresh() : end(said))
        const broken = (message: string) => {
          close()
          end({ passed: false, failure: { file: '', test: '', message } })
        }
        const gone = () => broken('the process that runs tests ended')
        const timer = setTimeout(() => broken(`timed out: no test ended within ${SILENCE_MS / 1000} s`), SILENCE_MS)
        runner.on('message', hear).on('exit', gone)
        runner.send({ files, changed })
      })
    },
    close,
  }
}
