import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { program } from '../../../../../test/support/program.ts'
import type { Asked, FromChild, KillSetup, ToChild } from './messages.ts'

/** The program that is killed. */
export const killable = () => program(fileURLToPath(new URL('./kill.child.ts', import.meta.url)))

/** A process that runs tasks until it is killed with -9. */
export function startKillable(path: string, setup: KillSetup, listen: (message: FromChild) => void) {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', path, JSON.stringify(setup)], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const began = new Promise<void>((resolve) => child.once('message', () => resolve()))
  let hear = () => {}
  const asked = new Promise<void>((resolve) => {
    hear = resolve
  })
  child.on('message', (message: FromChild) => {
    if (message.type === 'asked') hear()
    listen(message)
  })
  return {
    /** Resolves with the first word of it. */
    began: Promise.race([began, gone]),
    /** Resolves with its first question. */
    asked: Promise.race([asked, gone]),
    answer(question: Asked, action: ToChild['action']) {
      if (child.connected) child.send({ type: 'answer', question, action } satisfies ToChild, () => {})
    },
    async kill() {
      child.kill('SIGKILL')
      await gone
    },
  }
}
