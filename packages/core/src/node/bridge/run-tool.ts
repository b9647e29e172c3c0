import { spawn } from 'node:child_process'

/** No `AUTH_REQUIRED` message is longer. Longer output can be forwarded while the tool still runs. */
const HELD_BYTES = 16_384

export interface ToolRun {
  exitCode: number | null
  signal: NodeJS.Signals | null
  /** Output that was not forwarded yet: all of it, or nothing. */
  unforwarded: string
}

export interface ToolCommand {
  command: string
  args: readonly string[]
  env: Readonly<Record<string, string | undefined>>
  cwd?: string | undefined
  abort?: AbortSignal | undefined
  onStdout(chunk: string): void
}

/**
 * Runs a tool without a shell. Its stdout is buffered only while it can still become an `AUTH_REQUIRED` message, so
 * that progress appears at once.
 */
export function runTool({ command, args, env, cwd, abort, onStdout }: ToolCommand): Promise<ToolRun> {
  return new Promise((done, fail) => {
    const child = spawn(command, [...args], {
      env: { ...env },
      stdio: ['inherit', 'pipe', 'inherit'],
      shell: false,
      ...(cwd === undefined ? {} : { cwd }),
      ...(abort ? { signal: abort } : {}),
    })
    let unforwarded = ''
    let holding = true
    child.stdout.setEncoding('utf8')
    child.stdout.on('data', (chunk: string) => {
      if (!holding) return onStdout(chunk)
      unforwarded += chunk
      if (unforwarded.length <= HELD_BYTES && /^\s*(?:\{|$)/.test(unforwarded)) return
      holding = false
      onStdout(unforwarded)
      unforwarded = ''
    })
    child.once('error', fail)
    child.once('close', (exitCode, signal) => done({ exitCode, signal, unforwarded }))
  })
}
