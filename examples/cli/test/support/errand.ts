import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { expect } from 'vitest'

const program = new URL('../../src/main.ts', import.meta.url).pathname
const node = ['--conditions=holdpoint-source', '--disable-warning=ExperimentalWarning', program]

/** A running `errand`, as a person at a terminal or a script sees it. */
export interface Running {
  child: ChildProcess
  out(): string
  err(): string
  /** The JSON lines so far. */
  events(): { event: string; [name: string]: unknown }[]
  /** Resolves once the output has it. */
  see(text: string | RegExp): Promise<void>
  type(text: string): void
  ended: Promise<{ code: number | null; out: string; err: string }>
}

export const hasTerminal = existsSync('/usr/bin/script')

/** Starts the program; with `terminal` behind a real one, where both outputs are one. */
export function start(
  args: readonly string[],
  { env, terminal = false }: { env: Record<string, string>; terminal?: boolean },
): Running {
  const command = terminal ? '/usr/bin/script' : process.execPath
  const quoted = [process.execPath, ...node, ...args].map((part) => `'${part}'`).join(' ')
  const child = spawn(command, terminal ? ['-qec', quoted, '/dev/null'] : [...node, ...args], {
    stdio: 'pipe',
    env: { ...process.env, TERM: 'xterm', ...env },
  })
  const said = { out: '', err: '' }
  child.stdout.on('data', (chunk) => (said.out += chunk))
  child.stderr.on('data', (chunk) => (said.err += chunk))
  if (!terminal) child.stdin.on('error', () => {})
  const ended = new Promise<{ code: number | null; out: string; err: string }>((done) =>
    child.on('close', (code) => done({ code, ...said })),
  )
  return {
    child,
    ended,
    out: () => said.out,
    err: () => said.err,
    events: () => jsonLines(said.out),
    see: (text) => expect.poll(() => said.out + said.err, { timeout: 30_000 }).toMatch(text),
    type: (text) => void child.stdin.write(text),
  }
}

export function jsonLines(text: string): { event: string; [name: string]: unknown }[] {
  return text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))
}
