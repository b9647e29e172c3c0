// Serves the built page and nothing else: whatever answers a request to /holdpoint runs in the page.
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { extname, join } from 'node:path'

const types: Record<string, string> = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css' }
const server = createServer(async (request, response) => {
  const { pathname } = new URL(request.url ?? '/', 'http://page')
  if (pathname.startsWith('/holdpoint')) console.log('reached the server:', pathname)
  const name = pathname === '/' ? 'index.html' : pathname.slice(1)
  const body = await readFile(join('dist', name)).catch(() => null)
  response.writeHead(body ? 200 : 404, { 'content-type': types[extname(name)] ?? 'text/plain' }).end(body)
})
server.listen(Number(process.env.PORT), '127.0.0.1', () => console.log('listening on', process.env.PORT))
