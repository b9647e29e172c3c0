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
  isAlive(): boolean
  /** Returns the output of its log. */
  log(): string
}

/** An approval, as a person saw it, as a tool ran it, or as the log has it. */
export interface Approval {
  tool: string
  args: unknown
}

/** The servers and the data of one journey. */
export interface Deployment {
  /** Starts a node; on the port of an earlier one, if it takes its place. `env` is kept for the nodes after it. */
  start(port?: number, env?: Record<string, string>): Promise<AppServer>
  /** Runs a tool in the agent's loop; resolves with its result. */
  ask(
    server: AppServer,
    call: { chat: string; tool: string; input: object; user?: string; run?: string },
  ): Promise<unknown>
  /** Returns the effects of the tools, over all nodes. */
  ran(): Record<string, unknown>[]
  /** The approvals that were on screen when an approve button was pressed, on all pages. */
  readonly shown: Approval[]
  /** The browsers that are open. */
  readonly visitors: Set<object>
  /** Returns the approvals in the log, of all chats with questions. */
  approved(): Promise<Approval[]>
  /** Connections that browsers have open to all nodes. */
  connections(): Promise<number>
  /** Whether a tool left this file in the folder that all nodes run in. */
  has(file: string): boolean
  readonly folder: string
  readonly page: string
  /** The turns that Holdpoint started by itself: results whose promise had died. */
  continued(): Record<string, unknown>[]
  dispose(): Promise<void>
}

/** Marks a connection of the test, which is none of a browser. */
const OURS = { 'x-test': '1' }

interface Snapshot {
  interactions: {
    request: { toolName: string; args?: unknown }
    response?: { action?: string; args?: unknown }
  }[]
}

const approvalOf = ({ request, response }: Snapshot['interactions'][number]): Approval[] =>
  response?.action === 'approve' ? [{ tool: request.toolName, args: response.args ?? request.args }] : []

export function deploy(app: InstalledApp, store: Record<string, string>): Deployment {
  const cwd = app.folder()
  const children: ChildProcess[] = []
  const nodes = new Map<ChildProcess, string>()
  const owners = new Map<string, string>()
  let kept: Record<string, string> = {}
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
    folder: cwd,
    shown: [],
    visitors: new Set(),
    has: (file) => existsSync(join(cwd, file)),
    page: app.page,
    async start(port, env) {
      kept = { ...kept, ...env }
      const at = port ?? (await freePort())
      const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', app.server], {
        cwd,
        env: { PATH: process.env.PATH, PORT: String(at), ...store, ...kept },
      })
      children.push(child)
      child.once('exit', () => nodes.delete(child))
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
      const url = `http://127.0.0.1:${at}`
      nodes.set(child, url)
      return {
        url,
        kill: () => end(child, 'SIGKILL'),
        stop: () => end(child, 'SIGTERM'),
        isAlive: () => nodes.has(child),
        log: () => said,
      }
    },
    ask({ url }, call) {
      owners.set(call.chat, call.user ?? 'ada')
      const asked = fetch(`${url}/ask`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...OURS },
        body: JSON.stringify(call),
      })
      const answer = asked.then((response) => response.json())
      // A journey that ends the server loses the answer on purpose.
      answer.catch(() => {})
      return answer
    },
    ran: () => lines('ran.jsonl'),
    continued: () => lines('continued.jsonl'),
    async approved() {
      const [node] = nodes.values()
      const found = [...owners].map(async ([chat, user]) => {
        const headers = { cookie: `user=${user}`, ...OURS }
        const response = await fetch(`${node}/holdpoint/sessions/${chat}`, { headers })
        return ((await response.json()) as Snapshot).interactions.flatMap(approvalOf)
      })
      return (await Promise.all(found)).flat()
    },
    async connections() {
      const counts = [...nodes.values()].map(async (node) =>
        (await fetch(`${node}/connections`, { headers: OURS })).json(),
      )
      return (await Promise.all(counts)).reduce((sum: number, count) => sum + (count as number), 0)
    },
    async dispose() {
      await Promise.all(children.map((child) => end(child, 'SIGKILL')))
    },
  }
}
