import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'
import { program } from '../../../../../test/support/program.ts'
import type { ChatNotes, ChatSetup } from './setup.ts'

/** The server of the chat app, as one file that starts quickly. */
export const chatServer = () => program(fileURLToPath(new URL('./chat-app.child.ts', import.meta.url)))

/** A real process with a chat app in it. */
export interface ChatApp {
  readonly url: string
  notes(): ChatNotes
  /** Begins or ends a condition that the app looks for: `slow` tools, `empty` answers. */
  set(condition: 'slow' | 'empty', on: boolean): void
  /** The tool has begun, though it has done nothing yet. */
  begun(): number
  /** kill -9, and gone. */
  kill(): Promise<void>
  /** The same app again, on the same port, in a new process. */
  start(): Promise<void>
}

export async function startChatApp(server: string, page: string): Promise<ChatApp> {
  const folder = mkdtempSync(join(tmpdir(), 'holdpoint-chat-'))
  writeFileSync(join(folder, 'page.html'), page)
  let port = 0
  let kill = async () => {}
  onTestFinished(async () => {
    await kill()
    rmSync(folder, { recursive: true, force: true })
  })
  async function start() {
    const setup: ChatSetup = { folder, port }
    const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', server, JSON.stringify(setup)], {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    })
    const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()))
    kill = async () => {
      child.kill('SIGKILL')
      await gone
    }
    port = await new Promise<number>((resolve, reject) => {
      child.once('message', (told) => resolve(Number(told)))
      child.once('exit', (code) => reject(new Error(`the chat app ended with ${code} before it listened`)))
    })
  }
  const lines = (kind: string) => {
    const file = join(folder, kind)
    return existsSync(file)
      ? readFileSync(file, 'utf8')
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line) as string)
      : []
  }
  await start()
  return {
    url: `http://127.0.0.1:${port}`,
    notes: () => ({ requests: lines('requests'), effects: lines('effects'), prompts: lines('prompts') }),
    set: (condition, on) => (on ? writeFileSync(join(folder, condition), '') : rmSync(join(folder, condition))),
    begun: () => lines('begun').length,
    kill: () => kill(),
    start,
  }
}
