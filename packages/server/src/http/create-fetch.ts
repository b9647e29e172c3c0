import { HoldpointError } from '@holdpoint/core'
import type { Engine } from '../engine/api/engine.ts'
import { HttpApp } from './app.ts'
import { type HoldpointFetch, withApp } from './mounted.ts'
import { fromRequest } from './requests/from-request.ts'
import type { Incoming } from './requests/http-request.ts'
import type { Outgoing } from './responses/http-response.ts'
import { WebSink } from './responses/web-sink.ts'
import type { HttpOptions } from './routing/options.ts'

/** Creates `holdpoint.fetch`. */
export function createFetch(engine: Engine, options: HttpOptions = {}): HoldpointFetch {
  const app = new HttpApp(engine, options)
  const fetch = async (request: Request) => {
    if (typeof request?.headers?.get !== 'function') throw notARequest()
    return await answerIncoming(app, fromRequest(request))
  }
  return withApp(fetch, app)
}

/** Handles an `Incoming` and converts the outcome to a web-standard Response. */
export async function answerIncoming(app: HttpApp, incoming: Incoming): Promise<Response> {
  return toResponse(app, await app.handle(incoming), incoming.onGone)
}

function toResponse(app: HttpApp, outgoing: Outgoing, onGone: (listener: () => void) => void): Response {
  if (outgoing.kind === 'answer') {
    return new Response(outgoing.body || null, { status: outgoing.status, headers: outgoing.headers })
  }
  const sink = new WebSink(app.tuning.retryMs)
  const subscriber = outgoing.open(sink)
  sink.onGone = () => subscriber.left()
  onGone(() => sink.gone())
  return new Response(sink.stream, { headers: outgoing.headers })
}

/** Thrown at run time because the mistake compiles: `app.use('/holdpoint', holdpoint.fetch)`. */
function notARequest(): HoldpointError {
  return new HoldpointError(
    'not_a_request',
    'holdpoint.fetch takes a Request, and got something else: a request of Express, Fastify or node:http? Mount toExpressHandler(holdpoint), toFastifyPlugin or toNodeHandler instead.',
  )
}
