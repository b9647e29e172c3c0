import { say } from '@holdpoint/core/internal'
import { deadlineText } from '@holdpoint/core/internal/words'
import type { InteractionRecord } from '../engine/api/interactions.ts'
import { type Html, html, outside } from './markup/html.ts'
import type { PageLanguage } from './markup/language.ts'
import { questionHeading } from './names.ts'

interface ConnectPage {
  language: PageLanguage
  answerId: string
  /** The time of the store, for the deadline. */
  now: number
  /** The account whose consent page is open. */
  started?: { integration: string; url: string } | undefined
  problem?: string | undefined
}

const nameOf = ({ names }: InteractionRecord, integration: string) => names.integrations[integration] ?? integration

const connectedRow = (name: string, messages: PageLanguage['messages']) =>
  html`<p><bdi>${name}</bdi>: <span class="good">${messages.connected}</span></p>`

/** Returns a line for each account that a settled question has connected, because the outcome names none. */
export function connectedAccounts(record: InteractionRecord, { messages }: PageLanguage): Html {
  const { request, outcome } = record
  if (request.type !== 'auth_needed' || outcome !== 'connected') return html``
  return html`${request.integrations.map((integration) => connectedRow(nameOf(record, integration), messages))}`
}

/** Returns the content of a question for accounts, with one button for each missing account. */
export function connectBody(record: InteractionRecord, page: ConnectPage): Html {
  const { request, names, connected = [] } = record
  const { started, problem, answerId, now } = page
  const { messages, locale } = page.language
  if (request.type !== 'auth_needed') return html``
  const done = new Set([...(request.connected ?? []), ...connected])
  const { integrations, reason } = request
  const row = (integration: string) => {
    const name = nameOf(record, integration)
    if (done.has(integration)) return connectedRow(name, messages)
    if (started?.integration !== integration) {
      return html`<p><button class="primary" name="connect" value="${integration}">${say(messages.connect, { name })}</button></p>`
    }
    const label = say(messages.continueTo, { host: new URL(started.url).host })
    return html`<p><a class="button primary" href="${started.url}" rel="noreferrer noopener">${label}</a></p>`
  }
  const byline = say(messages.byline, { requester: '', tool: names.tool })
  const deadline = deadlineText(undefined, record.expiresAt.getTime() - now, messages, locale)
  return html`<p class="muted">${byline}${deadline && html` · ${deadline}`}</p>
<h1>${outside(questionHeading(record, messages))}</h1>
${reason && html`<p>${outside(reason)}</p>`}
${problem && html`<div role="alert">${problem}</div>`}
<form method="post"><input type="hidden" name="answerId" value="${answerId}">${integrations.map(row)}
<div class="actions"><button name="action" value="decline">${messages.decline}</button></div></form>`
}
