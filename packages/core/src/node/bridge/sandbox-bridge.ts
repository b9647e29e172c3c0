import { mkdtempSync, readSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { detectAuthRequired } from '../../connect/auth-required.ts'
import { HoldpointError } from '../../error.ts'
import { ensurePrivateFolder } from '../files/private-files.ts'
import { newRequestId, requestLine } from './bridge-format.ts'
import { type BridgeAnswer, readAnswer, removeAnswer } from './read-answer.ts'
import { runTool } from './run-tool.ts'

/** Settings of the runner's side of the bridge. Only the `key` is needed. */
export interface SandboxBridgeOptions {
  /** The key from the host; read it with `bridgeKeyFromStdin()`. */
  key: string
  /** Parent of the folder for answers; the system's temporary folder by default. */
  folder?: string
  /** Sends the event line to the host; stdout by default. */
  emit?(line: string): void
  /** How long a person may take; 10 minutes by default. */
  timeoutMs?: number
}

/** How to run one tool in the sandbox, and which accounts it may request. */
export interface RunOptions {
  /** The accounts that this tool may request. Other names in its output are ignored. */
  integrations: readonly string[]
  env?: Readonly<Record<string, string | undefined>>
  cwd?: string
  onStdout?(chunk: string): void
  signal?: AbortSignal
}

/** The result of a tool's last run, which is the second one if it lacked accounts. */
export interface RunResult {
  exitCode: number | null
  signal: NodeJS.Signals | null
  /** The result of the account request, if the tool needed an account. */
  auth?: 'connected' | 'cancelled' | 'timed-out'
}

/** The runner's side of the bridge between a sandbox and its host. */
export interface SandboxBridge {
  /** Runs a tool. If it lacks an account, asks through the host and runs the tool once more with the account. */
  run(command: string, args: readonly string[], options: RunOptions): Promise<RunResult>
  /** Asks the host, for runners that start their tools themselves. Null if there is no answer in time. */
  request(asked: {
    integrations: readonly string[]
    reason?: string
    signal?: AbortSignal
  }): Promise<BridgeAnswer | null>
}

const LOOK_MS = 100

/**
 * Creates the runner inside a sandbox. It runs tools. If a tool lacks an account, it prints an event line for the host,
 * waits for the answer, and runs the tool again with the tokens in its environment. Other processes in the sandbox
 * cannot forge an answer or read a token from a file. A process of the same user can still read another one's
 * environment while it runs.
 *
 * @example
 * const bridge = createSandboxBridge({ key: bridgeKeyFromStdin() })
 * const { exitCode } = await bridge.run('slack', ['post', '#general', text], { integrations: ['slack'] })
 */
export function createSandboxBridge(options: SandboxBridgeOptions): SandboxBridge {
  const { key, timeoutMs = 600_000, emit = printLine } = options
  let folder: string | undefined

  async function request({
    integrations,
    reason,
    signal,
  }: Parameters<SandboxBridge['request']>[0]): Promise<BridgeAnswer | null> {
    folder ??= mkdtempSync(join(options.folder ?? tmpdir(), 'holdpoint-'))
    ensurePrivateFolder(folder)
    const id = newRequestId()
    const path = join(folder, `${id}.json`)
    emit(requestLine(key, { id, path, integrations, ...(reason === undefined ? {} : { reason }) }))
    const until = performance.now() + timeoutMs
    try {
      for (;;) {
        const answer = readAnswer(key, id, path)
        if (answer) return answer
        if (performance.now() >= until) return null
        await wait(LOOK_MS, undefined, signal ? { signal } : {})
      }
    } finally {
      removeAnswer(path)
    }
  }

  return {
    request,
    async run(command, args, { integrations, env = process.env, cwd, signal: abort, onStdout = print }) {
      const tool = { command, args, cwd, abort, onStdout }
      const first = await runTool({ ...tool, env })
      const needed = detectAuthRequired({ exitCode: first.exitCode, stdout: first.unforwarded }, { integrations })
      if (!needed) {
        if (first.unforwarded) onStdout(first.unforwarded)
        return { exitCode: first.exitCode, signal: first.signal }
      }
      const answer = await request({
        integrations: [needed.integration],
        ...(needed.message === undefined ? {} : { reason: needed.message }),
        ...(abort ? { signal: abort } : {}),
      })
      if (!answer?.success) {
        onStdout(first.unforwarded)
        return { exitCode: first.exitCode, signal: first.signal, auth: answer ? 'cancelled' : 'timed-out' }
      }
      const second = await runTool({ ...tool, env: { ...env, ...answer.variables } })
      if (second.unforwarded) onStdout(second.unforwarded)
      return { exitCode: second.exitCode, signal: second.signal, auth: 'connected' }
    },
  }
}

/**
 * Reads the key from the first line of stdin, byte by byte, so that the rest is left for the tools.
 *
 * @example const bridge = createSandboxBridge({ key: bridgeKeyFromStdin() })
 */
export function bridgeKeyFromStdin(): string {
  const byte = new Uint8Array(1)
  let line = ''
  while (line.length <= 128 && readSync(0, byte) === 1 && byte[0] !== 10) line += String.fromCharCode(byte[0] as number)
  if (/^[\w-]{43}$/.test(line.trim())) return line.trim()
  throw new HoldpointError('bridge_key_missing', 'The first line of stdin must be the key from createBridgeKey().')
}

/** Starts a new line, because a tool may have left one unfinished. */
function printLine(line: string): void {
  writeSync(1, `\n${line}\n`)
}

function print(chunk: string): void {
  process.stdout.write(chunk)
}
