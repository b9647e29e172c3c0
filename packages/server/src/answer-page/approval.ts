import type { DiffFile, ReadableValue } from '@holdpoint/core/internal'
import { escapeInvisible, type InteractionRequestEvent, say } from '@holdpoint/core/internal'
import type { Messages } from '@holdpoint/core/messages'

import { readableArgs } from '@holdpoint/core/readable'
import { type Html, html } from './markup/html.ts'
import type { PageLanguage } from './markup/language.ts'

/** Returns the content of an approval: the readable arguments, the exact request, and the changes. */
export function approvalDetails(request: InteractionRequestEvent, { messages, locale }: PageLanguage): Html {
  const { args, diff } = request
  const words = { yes: messages.yes, no: messages.no }
  const readable = args === undefined ? undefined : readableArgs(args, { locale, timeZone: 'UTC', words })
  return html`${
    readable &&
    html`<h2>${messages.argumentsTitle}</h2>${readableHtml(readable)}<details><summary>${messages.exactRequest}</summary><pre tabindex="0">${escapeInvisible(JSON.stringify(args, null, 2))}</pre></details>`
  }${diff && diff.length > 0 && html`<h2>${messages.changesTitle}</h2>${diff.map((file) => fileOf(file, messages))}`}`
}

function readableHtml(value: ReadableValue): Html {
  switch (value.kind) {
    case 'group':
      return html`<dl>${value.rows.map(
        ({ label, exactKey, value: inner }) =>
          html`<dt><bdi>${label}</bdi>${exactKey && html` <code>${exactKey}</code>`}</dt><dd>${readableHtml(inner)}</dd>`,
      )}</dl>`
    case 'list':
      return html`<ul>${value.items.map((item) => html`<li>${readableHtml(item)}</li>`)}</ul>`
    case 'json':
      return html`<code>${value.text}</code>`
    default:
      return html`<bdi>${value.text}</bdi>`
  }
}

function fileOf({ path, oldPath, status, hunks }: DiffFile, messages: Messages): Html {
  const badge = { added: messages.fileAdded, deleted: messages.fileDeleted, renamed: messages.fileRenamed }
  const note = status && status !== 'modified' ? badge[status] : undefined
  const name = html`<code>${escapeInvisible(oldPath && oldPath !== path ? `${oldPath} → ${path}` : path)}</code>`
  const lines = hunks.flatMap((hunk) => [...(hunk.header ? [hunk.header] : []), ...hunk.lines])
  const body =
    lines.length > 0
      ? html`<pre tabindex="0">${lines.map((line) => lineOf(line, messages))}</pre>`
      : html`<p class="muted">${messages.fileBinary}</p>`
  return html`<p>${name}${note && html` <strong>${note}</strong>`}</p>${body}`
}

function lineOf(line: string, messages: Messages): Html {
  const kind = line.startsWith('+') ? 'added' : line.startsWith('-') ? 'removed' : ''
  const aloud = kind === 'added' ? messages.lineAdded : kind === 'removed' ? messages.lineRemoved : ''
  return html`<span class="line ${kind}"${aloud && html` aria-label="${aloud}: ${escapeInvisible(line.slice(1))}"`}>${escapeInvisible(line)}</span>`
}

/** Returns the choice of scopes for an approval, with the scopes that the question offers. */
export function scopeChoices(
  request: InteractionRequestEvent,
  tool: string,
  messages: Messages,
  chosen = 'once',
): Html {
  const scopes = request.approvalScopes ?? ['once']
  if (scopes.length < 2) return html``
  const label = (scope: string) => {
    if (scope === 'once') return messages.scopeOnce
    const wide = scope === 'session' ? 'session' : 'always'
    if (request.approvalLabel)
      return say(messages.scopeFor, { scope: wide, what: escapeInvisible(request.approvalLabel) })
    if (request.approvalCovers === 'tool') return say(messages.scopeForTool, { scope: wide, tool })
    const exact = request.approvalCovers === 'request'
    if (wide === 'session') return exact ? messages.scopeSession : messages.scopeSessionPlain
    return exact ? messages.scopeAlways : messages.scopeAlwaysPlain
  }
  return html`<fieldset><legend>${messages.scopeLegend}</legend>${scopes.map(
    (scope) =>
      html`<label class="choice"><input type="radio" name="scope" value="${scope}"${scope === chosen && html` checked`}>${label(scope)}</label>`,
  )}</fieldset>`
}
