import { type ChildProcess, spawn } from 'node:child_process'

const KEPT = 4_000
const GOODBYE_MS = 4_000
const TRIES = 600
const STEP_MS = 100

interface Together {
  cwd: string
  env: Record<string, string>
  /** Where the programs' errors go, as they come: standard error unless given. */
  showError?: (text: string) => void
}

const toStandardError = (text: string) => void process.stderr.write(text)

/** Programs that run together and end together. */
export function processes({ cwd, env, showError = toStandardError }: Together) {
  const children = new Map<ChildProcess, { name: string; said: string }>()
  let ending = false
  let tellEnd: (said: string) => void = () => {}

  return {
    /**
     * Starts a program of Node. Its output is shown only if it ends unexpectedly; its errors are shown at once, because
     * they contain the only reason of a failed request.
     */
    start(name: string, args: readonly string[], more: Record<string, string> = {}): void {
      const child = spawn(process.execPath, args, {
        cwd,
        env: { ...process.env, ...env, ...more },
        stdio: ['ignore', 'pipe', 'pipe'],
      })
      const kept = { name, said: '' }
      children.set(child, kept)
      child.stdout.setEncoding('utf8').on('data', (text: string) => {
        kept.said = `${kept.said}${text}`.slice(-KEPT)
      })
      child.stderr.setEncoding('utf8').on('data', (text: string) => {
        if (!ending) showError(text)
      })
      child.once('close', (code) => {
        children.delete(child)
        if (!ending) tellEnd(`\n  ${name} ended (${code}):\n${kept.said}`)
      })
    },
    onEnd(tell: (said: string) => void): void {
      tellEnd = tell
    },
    /** Waits until there is an answer; false when something ended meanwhile. */
    async answers(url: string): Promise<boolean> {
      const all = children.size
      for (let tries = 0; tries < TRIES && children.size === all && !ending; tries++) {
        const ok = await fetch(url).then(
          (response) => response.ok,
          () => false,
        )
        if (ok) return true
        await new Promise((resolve) => setTimeout(resolve, STEP_MS))
      }
      if (!ending && children.size === all) tellEnd(`\n  ${url} does not answer.`)
      return false
    },
    /** Asks all to end, and ends those that do not. */
    async stop(): Promise<void> {
      ending = true
      const gone = [...children.keys()].map((child) => new Promise((resolve) => child.once('close', resolve)))
      for (const child of children.keys()) child.kill('SIGTERM')
      const late = setTimeout(() => {
        for (const child of children.keys()) child.kill('SIGKILL')
      }, GOODBYE_MS)
      await Promise.all(gone)
      clearTimeout(late)
    },
  }
}
