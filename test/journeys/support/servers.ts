import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from '@holdpoint/conformance/free-port'
import type { InstalledApp } from './app.ts'

/** A node of the app under test. */
export interface AppServer {
  readonly url: string
  /** Ends the process without a word, as a crash does. */
  kill(): Promise<void>
  /** Ends the process as a deploy does. */
  stop(): Promise<void>
  /** What it wrote to its log. */
  log(): string
}

/** The servers and the data of one journey. */
export interface Deployment {
  /** Starts a node; on the port of an earlier one, if it takes its place. */
  start(port?: number): Promise<AppServer>
  /** Runs a tool in the agent's loop; resolves with what came of it. */
  ask(
    server: AppServer,
    call: { chat: string; tool: string; input: object; user?: string; run?: string },
  ): Promise<unknown>
  /** What the tools did, over all nodes. */
  ran(): Record<string, unknown>[]
  /** The turns that Holdpoint started by itself: results whose promise had died. */
  continued(): Record<string, unknown>[]
  dispose(): Promise<void>
}

export function deploy(app: InstalledApp, store: Record<string, string>): Deployment {
  const cwd = app.folder()
  const children: ChildProcess[] = []
  const lines = (file: string) =>
    existsSync(join(cwd, file))
      ? readFileSync(join(cwd, file), 'utf8')
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line) as Record<string, unknown>)
      : []
  const end = async (child: ChildProcess, signal: NodeJS.Signals) => {
    if (child.exitCode !== null || child.signalCode !== null) return
    const ended = new Promise((done) => child.once('exit', done))
    child.kill(signal)
    await ended
  }
  return {
    async start(port) {
      const at = port ?? (await freePort())
      const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', app.server], {
        cwd,
        env: { PATH: process.env.PATH, PORT: String(at), ...store },
      })
      children.push(child)
      let said = ''
      await new Promise<void>((done, fail) => {
        for (const stream of [child.stdout, child.stderr]) {
          stream.on('data', (chunk) => {
            said += chunk
            if (said.includes('listening on')) done()
          })
        }
        child.once('exit', () => fail(new Error(`the server ended:\n${said}`)))
      })
      return {
        url: `http://127.0.0.1:${at}`,
        kill: () => end(child, 'SIGKILL'),
        stop: () => end(child, 'SIGTERM'),
        log: () => said,
      }
    },
    ask({ url }, call) {
      const asked = fetch(`${url}/ask`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(call),
      })
      const answer = asked.then((response) => response.json())
      // A journey that ends the server loses the answer on purpose.
      answer.catch(() => {})
      return answer
    },
    ran: () => lines('ran.jsonl'),
    continued: () => lines('continued.jsonl'),
    async dispose() {
      await Promise.all(children.map((child) => end(child, 'SIGKILL')))
    },
  }
}
