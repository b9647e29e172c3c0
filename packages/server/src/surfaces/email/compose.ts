import { escapeInvisible } from '@holdpoint/core/internal'
import type { Messages } from '@holdpoint/core/messages'
import { readableText } from '@holdpoint/core/readable'
import { type Html, html, outside } from '../../answer-page/markup/html.ts'
import type { InteractionRecord } from '../../engine/api/interactions.ts'
import type { MessageSentences } from '../sentences.ts'
import { promptOf } from '../shown.ts'
import { headerLine } from './headers.ts'

/** The parts of an e-mail that a person reads. */
export interface Letter {
  subject: string
  text: string
  html: string
}

/** The data from which the texts of one e-mail are built. */
export interface Writing {
  language: string
  direction: 'ltr' | 'rtl'
  say: MessageSentences
  messages: Messages
  timeZone: string
  /** True if the mail contains the arguments. */
  details: boolean
}

/** Returns the subject. It names the kind of question and the tool, but contains no text of an agent. */
export function subjectOf({ kind, names, request }: InteractionRecord, { say }: Writing): string {
  const title = request.type === 'interaction_request' ? request.labels?.title : undefined
  return headerLine(`${say[kind]}: ${title ?? names.tool}`)
}

/** Returns the mail with the question. */
export function questionMessage(
  interaction: InteractionRecord,
  link: string,
  isReminder: boolean,
  writing: Writing,
): Letter {
  const { say, messages, language, timeZone } = writing
  const { request, expiresAt } = interaction
  const asked = request.type === 'interaction_request' ? request : undefined
  const prompt = promptOf(interaction, messages)
  const time = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short', timeZone })
  const staysOpen = asked?.answerableLater === true
  const deadline = say[staysOpen ? 'continues' : 'expires'](`${time.format(expiresAt)} (${timeZone})`)
  const first = isReminder ? say.reminder : staysOpen ? say[interaction.kind] : say.waits
  const args = writing.details && asked?.args !== undefined ? asked.args : undefined
  const words = { yes: messages.yes, no: messages.no }
  const rows = args === undefined ? undefined : readableText(args, { locale: language, timeZone, words })
  const text = [
    first,
    escapeInvisible(prompt),
    ...(rows === undefined ? [] : [messages.argumentsTitle, rows]),
    `${say.open}: ${link}`,
    `${deadline} ${say.personal}`,
  ].join('\n\n')
  const body = html`<p style="${MUTED}">${first}</p>
<p style="font-size:18px;font-weight:600;white-space:pre-wrap">${outside(prompt)}</p>
${rows !== undefined && html`<p style="${MUTED}">${messages.argumentsTitle}</p><pre dir="auto" style="${ROWS}">${rows}</pre>`}
<p><a href="${link}" style="display:inline-block;padding:12px 20px;border-radius:6px;background:#2354d3;color:#ffffff;font-weight:600;text-decoration:none">${say.open}</a></p>
<p style="${MUTED}">${deadline} ${say.personal}</p>`
  return { subject: subjectOf(interaction, writing), text, html: documentOf(writing, `${first} ${prompt}`, body) }
}

/** Returns the mail for a question that was settled without the recipient. */
export function settledMessage(interaction: InteractionRecord, outcome: string, writing: Writing): Letter {
  const { say } = writing
  const body = html`<p style="font-size:18px;font-weight:600">${outcome}</p><p style="${MUTED}">${say.done}</p>`
  return {
    subject: subjectOf(interaction, writing),
    text: `${outcome}\n\n${say.done}`,
    html: documentOf(writing, `${outcome} ${say.done}`, body),
  }
}

/** Uses opacity instead of a color, because mail programs show the text on white or on black. */
const MUTED = 'opacity:0.75;font-size:14px'
/** The background is translucent for the same reason. Each line has its own direction, because arguments are in any language. */
const ROWS =
  'white-space:pre-wrap;overflow-wrap:anywhere;unicode-bidi:plaintext;background:rgba(128,128,128,0.15);padding:12px;border-radius:6px'
const PREHEADER_LENGTH = 110

/** Mail programs show the preheader beside the subject; the page itself hides it. */
function documentOf({ language, direction }: Writing, preheader: string, body: Html): string {
  const hidden = 'display:none;max-height:0;overflow:hidden;opacity:0'
  return html`<!doctype html>
<html lang="${language}" dir="${direction}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark"></head>
<body style="margin:0;padding:16px;font:16px/1.5 system-ui,sans-serif"><div style="${hidden}">${headerLine(preheader, PREHEADER_LENGTH)}</div>
<div style="max-width:560px;margin:0 auto">${body}</div></body>
</html>`.text
}
