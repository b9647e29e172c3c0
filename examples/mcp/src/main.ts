import { randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import { createHoldpoint, devUser } from '@holdpoint/server'
import { toNodeHandler } from '@holdpoint/server/node'
import { sqliteStore } from '@holdpoint/server/sqlite'
import { toNodeHandler as mcpHandler } from '@modelcontextprotocol/node'
import { filesServer } from './files.ts'

// For a real server: the keys come from the environment, and both users from your login.
const holdpoint = createHoldpoint({
  store: sqliteStore({ path: '.holdpoint/mcp.db' }),
  authenticate: devUser('ada'),
  http: { mountPath: '/holdpoint' },
})
const files = filesServer(holdpoint, async (names) => console.log('deleted', names), randomBytes(32).toString('base64'))
const handleMcp = mcpHandler(files)
const handlePages = toNodeHandler(holdpoint)

createServer((request, response) => {
  if (!request.url?.startsWith('/mcp')) return void handlePages(request, response)
  const signedIn = request.headers.authorization === 'Bearer ada'
  const auth = signedIn ? { token: 'ada', clientId: 'example', scopes: [], extra: { sub: 'ada' } } : undefined
  // The types of its parameter leave no room for the undefined members that a request of node:http has.
  void handleMcp(Object.assign(request, auth && { auth }) as Parameters<typeof handleMcp>[0], response)
}).listen(3000, () => console.log('MCP server: http://localhost:3000/mcp, with the header "Authorization: Bearer ada"'))
