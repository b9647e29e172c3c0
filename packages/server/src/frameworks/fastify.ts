import type { FastifyInstance } from 'fastify'
import { appOf, type Mounted } from '../http/mounted.ts'
import { createNodeHandler } from '../http/node/node-handler.ts'

/**
 * Returns a plugin for Fastify 5. Holdpoint reads the bodies of requests below the plugin's prefix; other routes are
 * not affected.
 *
 * @example
 * await app.register(toFastifyPlugin(holdpoint), { prefix: '/holdpoint' })
 */
export function toFastifyPlugin(holdpoint: Mounted): (app: FastifyInstance) => Promise<void> {
  const handle = createNodeHandler(appOf(holdpoint))
  return async (app) => {
    app.removeAllContentTypeParsers()
    app.addContentTypeParser('*', (_request, _payload, done) => done(null))
    app.route({
      method: ['GET', 'POST', 'OPTIONS'],
      url: '/*',
      handler: async (request, reply) => {
        reply.hijack()
        await handle(request.raw, reply.raw)
      },
    })
  }
}
