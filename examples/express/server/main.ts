import { existsSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { fileURLToPath } from 'node:url'
import { build } from 'vite'
import { createApp } from './app.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const page = fileURLToPath(new URL('../dist', import.meta.url))
process.chdir(root)

const port = Number(process.env.PORT) || (await freePort(3000))
const origin = `http://localhost:${port}`
if (!existsSync(`${page}/index.html`)) await build({ logLevel: 'warn' })
const server = await createApp(origin, page)
server.once('error', (error: NodeJS.ErrnoException) => {
  console.error(
    error.code === 'EADDRINUSE'
      ? `Port ${port} is taken. Stop what runs there, or choose another: PORT=3001 npx -y pnpm@12 demo`
      : `The example could not start: ${error.message}`,
  )
  process.exit(1)
})
server.listen(port, () => {
  console.log(`
  The Holdpoint example runs at  ${origin}

  Say "delete", "survey", "email", "slack", "report", "deploy" or "later".
  Open a second tab and answer there; or stop this process while a question waits, and start it again.
  Ctrl-C stops it.
`)
})
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(0))

/** The wished-for port when it is free, else any. */
async function freePort(wished: number): Promise<number> {
  const tryPort = (candidate: number) =>
    new Promise<number | null>((resolve) => {
      const probe = createServer().once('error', () => resolve(null))
      probe.listen(candidate, () => {
        const { port } = probe.address() as AddressInfo
        probe.close(() => resolve(port))
      })
    })
  return (await tryPort(wished)) ?? (await tryPort(0)) ?? wished
}
