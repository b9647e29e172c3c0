import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { toExpressHandler } from '@holdpoint/server/express'
import { toFastifyPlugin } from '@holdpoint/server/fastify'
import { toHonoHandler } from '@holdpoint/server/hono'
import { toNextHandler } from '@holdpoint/server/next'
import { toNodeHandler } from '@holdpoint/server/node'
import { serve as serveHono } from '@hono/node-server'
import compression from 'compression'
import express from 'express'
import express4 from 'express-4'
import fastify from 'fastify'
import { Hono } from 'hono'
import type { Mounted } from '../../../src/http/mounted.ts'

export interface Running {
  /** The mount point's URL. */
  url: string
  server: Server
  stop(): Promise<void>
}

export async function listen(listener: RequestListener): Promise<Running> {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return running(server)
}

function running(server: Server, path = '/holdpoint'): Running {
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`,
    server,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function withExpress(holdpoint: Mounted, ...before: express.RequestHandler[]): Promise<Running> {
  return mountedOn(express(), holdpoint, before)
}

function mountedOn(app: express.Express, holdpoint: Mounted, before: express.RequestHandler[] = []): Promise<Running> {
  for (const middleware of before) app.use(middleware)
  app.use('/holdpoint', toExpressHandler(holdpoint))
  return listen(app)
}

/** Every way of mounting that has a shell, on real sockets. */
export const shells: Record<string, (holdpoint: Mounted) => Promise<Running>> = {
  'node:http': (holdpoint) => listen(toNodeHandler(holdpoint)),
  express: (holdpoint) => withExpress(holdpoint),
  'express 4': (holdpoint) => mountedOn(express4(), holdpoint),
  'express 4 after json, text and urlencoded': (holdpoint) =>
    mountedOn(express4(), holdpoint, [express4.json(), express4.text(), express4.urlencoded({ extended: true })]),
  'express after express.json()': (holdpoint) => withExpress(holdpoint, express.json()),
  'express after json, text, raw and urlencoded': (holdpoint) =>
    withExpress(holdpoint, express.json(), express.text(), express.raw(), express.urlencoded()),
  'express behind compression()': (holdpoint) => withExpress(holdpoint, compression({ threshold: 0 })),
  'express behind a compressor that ignores no-transform': (holdpoint) =>
    withExpress(
      holdpoint,
      (_request, response, next) => {
        const { setHeader } = response
        response.setHeader = (name, value) =>
          setHeader.call(response, name, typeof value === 'string' ? value.replace(', no-transform', '') : value)
        next()
      },
      compression({ threshold: 0 }),
    ),
  fastify: async (holdpoint) => {
    const app = fastify()
    app.post('/own', async (request) => request.body)
    await app.register(toFastifyPlugin(holdpoint), { prefix: '/holdpoint' })
    await app.listen({ port: 0, host: '127.0.0.1' })
    const started = running(app.server)
    return { ...started, stop: async () => void (await Promise.all([started.stop(), app.close()])) }
  },
  hono: async (holdpoint) => {
    const app = new Hono()
    app.all('/holdpoint/*', toHonoHandler(holdpoint))
    return honoServer(app.fetch)
  },
  'serve({ fetch: holdpoint.fetch })': (holdpoint) => honoServer(holdpoint.fetch),
  'next route handlers': (holdpoint) => {
    const handlers = toNextHandler(holdpoint)
    return honoServer((request) => (request.method === 'POST' ? handlers.POST(request) : handlers.GET(request)))
  },
}

async function honoServer(fetch: (request: Request) => Response | Promise<Response>): Promise<Running> {
  const server = await new Promise<Server>((resolve) => {
    const made = serveHono({ fetch, port: 0, hostname: '127.0.0.1' }, () => resolve(made as Server))
  })
  return running(server)
}
