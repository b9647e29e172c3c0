import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join } from 'node:path'
import { freePort } from '@holdpoint/conformance/free-port'
import { localOAuth } from '@holdpoint/conformance/local-oauth'
import { expect } from 'vitest'
import type { Journey } from '../support/journey.ts'
import { visit } from '../support/visitor.ts'

export const connectElsewhere: Journey = {
  title:
    'an account is connected from a page of another allowed origin; for a page of another origin the page and the log name the reason',
  async run(world) {
    const { deployment } = world
    const [allowed, refused] = [await serve(deployment.page), await serve(deployment.page)]
    const port = await freePort()
    const service = await localOAuth({ redirectUris: [`http://127.0.0.1:${port}/holdpoint/connections/callback`] })
    try {
      const server = await deployment.start(port, { OAUTH_URL: service.url, ALLOWED_ORIGINS: allowed.url })
      const at = `/?server=${encodeURIComponent(server.url)}`
      const ada = await visit(world, allowed.url)
      const tab = await ada.open(at)
      const asked = deployment.ask(server, { chat: 'chat-1', tool: 'post', input: { text: 'hello' } })
      const connect = tab.card('post').locator('[data-slot="connect"]')
      await connect.waitFor()
      await ada.expectHealthy()

      const popup = ada.context.waitForEvent('page')
      await tab.press(connect)
      const consent = await popup
      const closed = consent.waitForEvent('close')
      await consent.getByRole('button', { name: 'Allow' }).click()
      await closed
      expect(await asked).toMatchObject({ result: { status: 'completed' } })
      await tab.card('post').locator('[data-slot="settled"]').waitFor()
      expect(tab.page.url()).toBe(`${allowed.url}${at}`)
      expect(deployment.ran()).toEqual([{ tool: 'post', text: 'hello', hasToken: true }])
      await ada.expectHealthy()
      await ada.close()

      const eve = await visit(world, refused.url)
      // The browser itself writes red lines for a request that CORS stops.
      await eve.expectFailures(async () => {
        const page = await eve.open(at)
        await page.page.getByRole('alert').getByText('could not be reached').waitFor()
      })
      expect(server.log()).toContain('allowedOrigins')
      expect(server.log()).toContain(refused.url)
      await eve.close()
    } finally {
      await Promise.all([allowed.close(), refused.close(), service.close()])
    }
  },
}

/** A host of static files: the page's own origin. */
async function serve(folder: string): Promise<{ url: string; close(): Promise<void> }> {
  const types: Record<string, string> = { '.js': 'text/javascript', '.css': 'text/css', '.html': 'text/html' }
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://page')
    const name = pathname === '/' ? 'index.html' : pathname.slice(1)
    const body = await readFile(join(folder, name)).catch(() => null)
    if (!body) return void response.writeHead(404).end()
    response.writeHead(200, { 'content-type': types[extname(name)] ?? 'application/octet-stream' }).end(body)
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
    },
  }
}
