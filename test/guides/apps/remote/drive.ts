import assert from 'node:assert/strict'
import { servers } from './given.ts'

process.env.NODE_ENV = 'production'
const APP = 'https://app.example.com'
const { default: agent } = await import('./agent.ts')
const backend = await import('./backend.ts')
const { ask } = await import('./page.ts')
servers.set('agent.example.com', (request) => agent.fetch(request))
servers.set('app.example.com', (request) =>
  new URL(request.url).pathname.endsWith('/webhook') ? backend.webhook(request) : backend.start(request),
)

// The browser of the page: its own origin with the user's cookie, and the agent's without.
globalThis.fetch = async (input, init) => {
  const url = new URL(String(input), APP)
  const headers = new Headers(init?.headers)
  headers.set('origin', APP)
  if (url.origin === APP) headers.set('cookie', 'user=ada')
  const handle = servers.get(url.host)
  assert.ok(handle, `no server at ${url}`)
  return await handle(new Request(url, { ...init, headers }))
}

let text = ''
for await (const part of ask('task-42', 'hello to the agent')) {
  if (part.type === 'text-delta') text += part.text
}
assert.equal(text.trim(), 'hello to the agent')

const saved = async () => JSON.stringify((await backend.history('task-42')).messages)
for (let tries = 0; !(await saved()).includes('hello to the agent'); tries++) {
  assert.ok(tries < 400, `the back end has only ${await saved()}`)
  await new Promise((resolve) => setTimeout(resolve, 25))
}
await assert.rejects(ask('of-another-user', 'hello').next(), /The agent was not reached/)
process.exit()
