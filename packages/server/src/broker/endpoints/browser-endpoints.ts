import type { HttpResponse } from '../../http/responses/http-response.ts'
import { approveFlow, type BeginResult, beginFlow } from '../flows/begin-flow.ts'
import { browserCookie } from '../flows/browser.ts'
import { returnFromService } from '../flows/return-from-service.ts'
import { type Call, type Endpoint, formOf } from '../http/call.ts'
import { redirect } from '../http/page.ts'
import { donePage, type FlowOutcome, interstitial, OUTCOMES, refusalPage } from '../http/pages.ts'
import type { Broker } from '../shared/broker.ts'
import type { FlowRow } from '../shared/flow-row.ts'

/** `GET /connections/authorize?state=`: opens a flow in the browser. */
export const authorize: Endpoint = {
  method: 'GET',
  path: '/connections/authorize',
  async handle(call) {
    const { broker, incoming } = call
    const state = incoming.query.get('state')
    return shown(broker, state ?? '', await beginFlow(broker, state, await broker.signedIn(incoming.toRequest())))
  },
}

/** `POST /connections/authorize`: receives the click on the interstitial page. */
export const approve: Endpoint = {
  method: 'POST',
  path: '/connections/authorize',
  contentType: 'application/x-www-form-urlencoded',
  async handle(call) {
    const { broker, incoming } = call
    const principal = await broker.signedIn(incoming.toRequest().clone())
    const state = (await formOf(call)).get('state')
    return shown(broker, state ?? '', await approveFlow(broker, state, cookieReader(call), principal))
  },
}

/**
 * `GET /connections/callback/<service>`: the address to which a service redirects the browser. Each service has its own
 * path, so that a response of one service cannot be used in a flow of another (RFC 9700, mix-up).
 */
export const callback: Endpoint = {
  method: 'GET',
  path: '/connections/callback/:service',
  async handle(call) {
    const { broker, incoming, params } = call
    const principal = await broker.signedIn(incoming.toRequest())
    const returned = await returnFromService(
      broker,
      params.service ?? '',
      incoming.query,
      cookieReader(call),
      principal,
    )
    if (returned.kind === 'gone' || returned.kind === 'refused') return refusalPage(broker, returned.kind)
    const { clear } = browserCookie(returned.hash, isSecure(broker))
    if (returned.kind === 'loopback') return redirect(returned.url, clear)
    return redirect(returnAddress(broker, returned.row, returned.fewer === true, returned.error), clear)
  },
}

/**
 * `GET /connections/done`: shows the result from the query. It is only a hint, because any page can open this address.
 */
export const done: Endpoint = {
  method: 'GET',
  path: '/connections/done',
  async handle({ broker, incoming: { query } }) {
    const flow = query.get('flow') ?? ''
    const result = OUTCOMES.find((outcome) => outcome === query.get('result')) ?? 'failed'
    return donePage(
      broker,
      broker.provider(query.get('service')),
      result,
      /^[\w.:~-]{1,200}$/.test(flow) ? flow : undefined,
    )
  },
}

function shown(broker: Broker, state: string, begun: BeginResult): HttpResponse {
  if (begun.kind === 'gone' || begun.kind === 'refused') return refusalPage(broker, begun.kind)
  const cookie = begun.cookie && browserCookie(begun.hash, isSecure(broker)).set(begun.cookie)
  if (begun.kind === 'ask') return interstitial(broker, begun.row, begun.provider, state, cookie ?? '')
  return redirect(begun.url, cookie)
}

/**
 * Returns the address of the page that started the flow, with the parameters of the source protocol, or of our own
 * final page.
 */
function returnAddress(broker: Broker, row: FlowRow, fewer: boolean, error: string | undefined): string {
  const url = new URL(row.returnTo ?? `${broker.baseUrl}/connections/done`)
  const add = (name: string, value: string | undefined) => value !== undefined && url.searchParams.set(name, value)
  if (row.returnTo) {
    add(error ? 'auth_failed' : 'auth_complete', row.integration)
    add('auth_error', error ?? (fewer ? 'fewer_scopes' : undefined))
    add('generation_id', row.generationId)
    add('flow_id', row.flowId)
  } else {
    add('result', outcomeOf(fewer, error))
    add('service', row.integration)
    add('flow', row.flowId)
  }
  return url.href
}

function outcomeOf(fewer: boolean, error: string | undefined): FlowOutcome {
  if (!error) return fewer ? 'connected-fewer' : 'connected'
  return error === 'access_denied' ? 'denied' : error === 'wrong_account' ? 'wrong-account' : 'failed'
}

const cookieReader =
  ({ broker, incoming }: Call) =>
  (hash: string) =>
    browserCookie(hash, isSecure(broker)).read(incoming.header('cookie'))

const isSecure = ({ baseUrl }: Broker) => baseUrl.startsWith('https:')
