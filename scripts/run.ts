import { spawn } from 'node:child_process'

export interface Ran {
  ok: boolean
  output: string
}

/** Runs a program to its end; its output is shown as it comes, or kept with `quiet`. */
export function run(
  command: string,
  args: readonly string[],
  options: { cwd?: string; env?: Record<string, string>; quiet?: boolean } = {},
): Promise<Ran> {
  return new Promise((resolve) => {
    let output = ''
    const child = spawn(command, args, {
      cwd: options.cwd,
      env: { ...process.env, ...options.env },
      stdio: options.quiet ? ['ignore', 'pipe', 'pipe'] : ['ignore', 'inherit', 'inherit'],
    })
    const keep = (chunk: Buffer) => {
      output += chunk.toString()
    }
    child.stdout?.on('data', keep)
    child.stderr?.on('data', keep)
    child.on('error', (error) => resolve({ ok: false, output: `${output}${error.message}` }))
    child.on('close', (code) => resolve({ ok: code === 0, output }))
  })
}

/** How to call pnpm from a script that pnpm runs, or from a bare shell. */
export function pnpm(args: readonly string[]): [string, string[]] {
  const path = process.env.npm_execpath
  if (path?.includes('pnpm')) return /\.[cm]?js$/.test(path) ? [process.execPath, [path, ...args]] : [path, [...args]]
  return ['npx', ['-y', 'pnpm@12', ...args]]
}

/** `1.2 s` since a `performance.now()`. */
export function since(started: number): string {
  return `${((performance.now() - started) / 1000).toFixed(1)} s`
}

/** The line that closes every command that counts. */
export function closingLine(count: { passed: number; failed: number; skipped?: number }): string {
  const skipped = count.skipped ? `, ${count.skipped} skipped` : ''
  return `${count.passed} passed, ${count.failed} failed${skipped}`
}
