import { escapeToOneLine } from '@holdpoint/core/internal'
import type { HttpResponse } from '../../http/responses/http-response.ts'
import type { OAuthProvider } from '../oauth/provider.ts'
import type { Broker } from '../shared/broker.ts'
import type { FlowRow } from '../shared/flow-row.ts'
import { escapeHtml, page, scriptJson } from './page.ts'

/** Asks for consent before a flow continues, because the sender of this link may want this user's account. */
export function interstitial(
  broker: Broker,
  row: FlowRow,
  provider: OAuthProvider,
  state: string,
  cookie: string,
): HttpResponse {
  const app = escapeHtml(broker.options.appName ?? new URL(broker.baseUrl).host)
  const service = escapeHtml(provider.name)
  const facts = [
    ['Service', service],
    ['Requested by', row.device ? selfNamed(row.device) : row.owner ? 'your chat' : 'a program on another device'],
    ...(row.owner ? [['Account', escapeHtml(row.owner.name ?? row.owner.userId)]] : []),
  ]
  return page(broker, 200, {
    title: `Connect ${provider.name}?`,
    referrer: 'same-origin',
    cookie,
    body: `<p>${app} asks for access to your ${service} account.</p>
<dl>${facts.map(([name, value]) => `<dt>${name}</dt><dd>${value}</dd>`).join('')}</dl>
<p>Continue only if you started this yourself, and see this code where you did:</p>
<p><code>${escapeHtml(row.userCode)}</code></p>
<p>If another person sent you this link, close this page: they would get access to your account.</p>
<form method="post" action="authorize"><input type="hidden" name="state" value="${escapeHtml(state)}"><button>I see this code: continue to ${service}</button></form>`,
  })
}

/**
 * Returns the name that a program claims, marked as a claim, isolated, and without invisible or direction-changing
 * characters.
 */
function selfNamed(device: string): string {
  return `a program that calls itself “<bdi>${escapeHtml(escapeToOneLine(device))}</bdi>”`
}

const TEXTS = {
  gone: ['This link cannot be used', 'The link has expired or was already used. Start again where you came from.'],
  refused: ['Not connected', 'Another user or another browser started this connection. Nothing was connected.'],
} as const

export function refusalPage(broker: Broker, why: keyof typeof TEXTS): HttpResponse {
  const [title, text] = TEXTS[why]
  return page(broker, why === 'gone' ? 400 : 403, { title, body: `<p>${text}</p>`, script: SCRUB })
}

/** The result that the last page reports to the page that opened it. */
export type FlowOutcome = 'connected' | 'connected-fewer' | 'denied' | 'wrong-account' | 'failed'
export const OUTCOMES: readonly FlowOutcome[] = ['connected', 'connected-fewer', 'denied', 'wrong-account', 'failed']

/**
 * Returns the last page of a flow, in a pop-up or a separate browser. It shows a result and no code. Pages treat the
 * result as a hint, and check.
 */
export function donePage(
  broker: Broker,
  provider: OAuthProvider | null,
  result: FlowOutcome,
  flow?: string,
): HttpResponse {
  const name = provider?.name ?? 'The account'
  const connected = result === 'connected' || result === 'connected-fewer'
  return page(broker, 200, {
    title: connected ? `${name} is connected` : `${name} was not connected`,
    body: `<p>${connected ? 'You can close this page and return to where you came from.' : 'Close this page and try again where you came from.'}</p>`,
    script: SCRUB + (flow === undefined ? '' : announce(flow, result)),
  })
}

/** Removes the query from the address, so that extensions and the history do not see it. */
const SCRUB = "history.replaceState(null,'',location.pathname);"

/**
 * Returns a script that reports the result to the page that opened this one, on the same origin only, and by
 * `localStorage` for older browsers. The event stream delivers the result in any case.
 */
function announce(flowId: string, result: FlowOutcome): string {
  const name = scriptJson(`holdpoint-flow-${flowId}`)
  const message = scriptJson({ type: 'holdpoint_auth', flowId, result })
  return `try{new BroadcastChannel(${name}).postMessage(${message})}catch{}try{localStorage.setItem(${name},${scriptJson(JSON.stringify({ type: 'holdpoint_auth', flowId, result }))});localStorage.removeItem(${name})}catch{}setTimeout(()=>window.close(),300)`
}
