import { say } from '@holdpoint/core/internal'
import type { InteractionRecord } from '../engine/api/interactions.ts'
import { type Html, html, outside } from './markup/html.ts'
import type { PageLanguage } from './markup/language.ts'
import { integrationLabel, kindTitle, questionHeading, toolLabel } from './names.ts'

/** Returns the content of a question for accounts, with one button for each missing account. */
export function connectBody(
  record: InteractionRecord,
  { messages }: PageLanguage,
  answerId: string,
  started?: { integration: string; url: string } | undefined,
  problem?: string,
): Html {
  const { request, toolName, connected = [] } = record
  if (request.type !== 'auth_needed') return html``
  const done = new Set([...(request.connected ?? []), ...connected])
  const { integrations } = request
  const title = kindTitle(record, messages)
  const row = (integration: string) => {
    const name = integrationLabel(integration)
    if (done.has(integration)) return html`<p><bdi>${name}</bdi>: <span class="good">${messages.connected}</span></p>`
    if (started?.integration !== integration) {
      return html`<p><button class="primary" name="connect" value="${integration}">${say(messages.connect, { name })}</button></p>`
    }
    const label = say(messages.continueTo, { host: new URL(started.url).host })
    return html`<p><a class="button primary" href="${started.url}" rel="noreferrer noopener">${label}</a></p>`
  }
  return html`<p class="muted">${title} · ${say(messages.byline, { requester: '', tool: toolLabel(toolName) })}</p>
<h1>${outside(questionHeading(record, messages))}</h1>
${problem && html`<div role="alert">${problem}</div>`}
<form method="post"><input type="hidden" name="answerId" value="${answerId}">${integrations.map(row)}
<div class="actions"><button name="action" value="decline">${messages.decline}</button></div></form>`
}
