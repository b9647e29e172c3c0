import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Example } from '../../scripts/example-build.ts'

/** An example as a newcomer starts it, on a port and a folder of its own. */
export interface ExampleServer {
  readonly url: string
  start(): Promise<void>
  /** kill -9. */
  kill(): Promise<void>
  dispose(): Promise<void>
}

const programs: Record<Example, (port: number) => string[]> = {
  express: () => ['server/main.ts'],
  nextjs: (port) => ['node_modules/next/dist/bin/next', 'start', '--port', String(port)],
}

export async function exampleServer(
  example: Example,
  envFor: (url: string) => Record<string, string> | Promise<Record<string, string>>,
): Promise<ExampleServer> {
  const home = mkdtempSync(join(tmpdir(), 'holdpoint-example-'))
  const port = await freePort()
  const url = `http://localhost:${port}`
  const folder = fileURLToPath(new URL(`../../examples/${example}`, import.meta.url))
  const env = await envFor(url)
  let child: ChildProcess | undefined

  const kill = async () => {
    const running = child
    child = undefined
    if (!running || running.exitCode !== null) return
    const gone = new Promise((resolve) => running.once('exit', resolve))
    running.kill('SIGKILL')
    await gone
  }
  const start = async () => {
    let said = ''
    const started = spawn(process.execPath, programs[example](port), {
      cwd: folder,
      env: { ...process.env, PORT: String(port), HOLDPOINT_HOME: home, NODE_ENV: 'development', ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    child = started
    for (const stream of [started.stdout, started.stderr]) stream?.on('data', (chunk) => (said += chunk))
    for (let tries = 0; tries < 600; tries++) {
      if (
        await fetch(`${url}/api/me`).then(
          ({ ok }) => ok,
          () => false,
        )
      )
        return
      if (started.exitCode !== null) break
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
    throw new Error(`The example did not start: ${said}`)
  }

  return {
    url,
    start,
    kill,
    async dispose() {
      await kill()
      rmSync(home, { recursive: true, force: true })
    },
  }
}

async function freePort(): Promise<number> {
  return await new Promise((resolve, reject) => {
    const probe = createServer().once('error', reject)
    probe.listen(0, () => {
      const { port } = probe.address() as AddressInfo
      probe.close(() => resolve(port))
    })
  })
}
