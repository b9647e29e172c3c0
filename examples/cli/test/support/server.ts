import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { localOAuth, TestBrowser } from '@holdpoint/conformance/local-oauth'
import { createHoldpoint } from '@holdpoint/server'
import { type AskHandler, createAccountBroker } from '@holdpoint/server/accounts'
import { memoryStore } from '@holdpoint/server/memory'
import { toNodeHandler } from '@holdpoint/server/node'

/** A real server with a broker, and a real OAuth provider behind it. */
export async function startServer() {
  const http = createServer((request, response) => handler(request, response))
  await new Promise<void>((done) => http.listen(0, '127.0.0.1', done))
  const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}/holdpoint`
  const oauth = await localOAuth({ redirectUris: [`${url}/connections/callback`] })
  const done: Parameters<AskHandler>[0][] = []
  const store = memoryStore()
  const broker = createAccountBroker({
    store,
    providers: [oauth.slack, oauth.gmail],
    vaultKeys: [{ id: '1', key: new Uint8Array(32).fill(3) }],
    sessionSecrets: ['a secret for this test only, of more than 32 bytes'],
    baseUrl: url,
    development: true,
    async ask(input) {
      done.push(input)
      if (input.prompt === 'wait') await new Promise((never) => input.signal?.addEventListener('abort', never))
      if (input.mode === 'interactive') return { message: `turn ${input.history.length / 2 + 1}: ${input.prompt}` }
      return { message: input.prompt === 'escape' ? '\u001b[2Jgone' : `${input.mode}: ${input.prompt}` }
    },
  })
  const holdpoint = createHoldpoint({
    store,
    accounts: broker,
    http: { routes: broker.routes, mountPath: '/holdpoint' },
    authenticate: broker.authenticate,
  })
  const handler = toNodeHandler(holdpoint)

  return {
    url,
    oauth,
    broker,
    /** The requests that the agent received. */
    done,
    /** The person: opens the address, compares the code, agrees. */
    async authorize(address: string, { login = 'ada', decision = 'allow' } = {}): Promise<string> {
      const browser = new TestBrowser()
      const page = await browser.open(address)
      await browser.submit(await browser.submit(page), { login, decision })
      return page.text
    },
    async close() {
      await holdpoint.close()
      http.closeAllConnections()
      await new Promise((closed) => http.close(closed))
      await oauth.close()
    },
  }
}
