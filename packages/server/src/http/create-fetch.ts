import { HoldpointError } from '@holdpoint/core'
import type { Engine } from '../engine/api/engine.ts'
import type { Outgoing } from './answers/http-answer.ts'
import { WebSink } from './answers/web-sink.ts'
import { HttpApp } from './app.ts'
import { fromRequest } from './requests/from-request.ts'
import type { HttpOptions } from './routing/options.ts'

/** Answers requests anywhere that speaks Request and Response; `app` is what the other channels share with it. */
export type HoldpointFetch = ((request: Request) => Promise<Response>) & { readonly app: HttpApp }

/** Makes `holdpoint.fetch`. */
export function createFetch(engine: Engine, options: HttpOptions = {}): HoldpointFetch {
  const app = new HttpApp(engine, options)
  const fetch = async (request: Request) => {
    if (typeof request?.headers?.get !== 'function') throw notARequest()
    const incoming = fromRequest(request)
    return toResponse(app, await app.handle(incoming), incoming.onGone)
  }
  return Object.assign(fetch, { app })
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

/** Types of frameworks let it pass: `app.use('/holdpoint', holdpoint.fetch)` compiles. */
function notARequest(): HoldpointError {
  return new HoldpointError(
    'not_a_request',
    'holdpoint.fetch takes a Request, and got something else: a request of Express, Fastify or node:http? Mount toExpressHandler(holdpoint), toFastifyPlugin or toNodeHandler instead.',
  )
}
