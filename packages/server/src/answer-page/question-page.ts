import type { InputSchema } from '@holdpoint/core'
import { escapeInvisible, type FieldErrors, type InteractionRequestEvent, say } from '@holdpoint/core/internal'
import { deadlineText } from '@holdpoint/core/internal/words'
import { shownDigest } from '@holdpoint/core/wire'
import type { InteractionRecord } from '../engine/api/interactions.ts'
import { approvalDetails, scopeChoices } from './approval.ts'
import { formFields, startValues } from './form/form-fields.ts'
import { fieldName } from './form/names.ts'
import { stepHead } from './form/step-parts.ts'
import { questionnaireOf, type Step, stepAt, stepWith } from './form/steps.ts'
import { type Html, html, outside } from './markup/html.ts'
import type { PageLanguage } from './markup/language.ts'
import { kindTitle, questionHeading } from './names.ts'

/** The parts of a rejected answer that the next page keeps. */
export interface Retry {
  values?: Record<string, unknown>
  errors?: FieldErrors
  /** The reason why the answer was not accepted. */
  problem?: string
  scope?: string
  reason?: string
  /** The action that the person chose. */
  action?: string
  /** The index of the step that is shown. */
  step?: number
}

/** A question that is asked step by step: its step and all values. */
interface Stepped {
  step: Step
  values: Record<string, unknown>
}

/** Returns the step to show, or undefined if the question is not asked step by step. Errors lead to their step. */
export function steppedOf(record: InteractionRecord, retry: Retry): Stepped | undefined {
  const schema = questionnaireOf(record)
  if (!schema || record.request.type !== 'interaction_request') return undefined
  const values = retry.values ?? startValues(schema, record.request.initialValues)
  const wrong = Object.keys(retry.errors ?? saidOf(record.request, retry)?.fieldErrors ?? {})
  return { values, step: stepAt(schema, values, stepWith(schema, values, wrong) ?? retry.step ?? 0) }
}

/** Returns the question whose own errors are shown. They are no longer shown after the person has moved between steps. */
const saidOf = (request: InteractionRequestEvent, { step }: Retry) => (step === undefined ? request : undefined)

interface QuestionPage {
  language: PageLanguage
  answerId: string
  /** The time of the store, for the deadline. */
  now: number
  retry: Retry
  stepped: Stepped | undefined
  /** The largest file that this server accepts. */
  uploadBytes: number
}

/**
 * Returns an open interaction as a form that posts to its own address. The form has an answer id that is unique to this
 * page.
 */
export function questionBody(
  record: InteractionRecord,
  { language, answerId, now, retry, stepped, uploadBytes }: QuestionPage,
): Html {
  const { request, kind, names } = record
  const { messages } = language
  const asked = request.type === 'interaction_request' ? request : undefined
  const labels = asked?.labels
  const title = kindTitle(record, messages)
  const risk = asked?.risk
  const schema = asked?.inputSchema
  const feedback = asked && saidOf(asked, retry)
  const step = stepped?.step
  const errors = errorsAt(step, schema, { ...feedback?.fieldErrors, ...retry.errors })
  const values = stepped?.values ?? retry.values ?? (schema && startValues(schema, asked?.initialValues)) ?? {}
  const problem = retry.problem ?? feedback?.error
  const requester = asked?.requester?.name
  const byline = say(messages.byline, {
    requester: requester ? escapeInvisible(requester) : '',
    tool: names.tool,
  })
  const approve = kind === 'approval'
  // The page does not count: it shows the time that is left when it is loaded.
  const deadline = deadlineText(asked, record.expiresAt.getTime() - now, messages, language.locale)
  const lang = asked?.lang && html` lang="${asked.lang}"`
  const hasFiles = (step ?? schema)?.fields.some(({ type }) => type === 'file') ?? false
  // A rejection needs no files, so the browser sends none.
  const alone = hasFiles && html` formenctype="application/x-www-form-urlencoded"`
  const verb = (given: string | undefined, ours: string) => (given ? outside(given) : html`${ours}`)
  return html`<p class="muted">${title} · ${byline}${deadline && html` · ${deadline}`}</p>
<h1${lang}>${outside(questionHeading(record, messages))}</h1>
${risk && html`<p class="${risk === 'high' ? 'danger' : 'muted'}">${{ low: messages.riskLow, medium: messages.riskMedium, high: messages.riskHigh }[risk]}</p>`}
${asked?.facts && html`<ul class="facts"${lang}>${asked.facts.map((fact) => html`<li class="${tone(fact.tone)}">${outside(fact.label)}${fact.value && html`: ${outside(fact.value)}`}</li>`)}</ul>`}
${problem && html`<div role="alert">${outside(problem)}</div>`}
${Object.keys(errors).length > 0 && summary(errors, language, schema?.fields ?? [])}
${asked && approvalDetails(asked, language)}
<form method="post"${hasFiles && html` enctype="multipart/form-data"`} autocomplete="off" novalidate>
<input type="hidden" name="answerId" value="${answerId}"><input type="hidden" name="shownDigest" value="${asked ? shownDigest(asked) : ''}">
${schema && step && stepHead(step, schema, values, language)}
${schema && formFields({ schema, language, errors, values, step, uploadBytes })}
${approve && asked && scopeChoices(asked, names.tool, messages, retry.scope)}
${approve && html`<details${retry.reason && html` open`}><summary>${messages.addReason}</summary><div class="field"><label class="name" for="reason">${messages.reason}</label><input id="reason" name="reason" value="${retry.reason ?? ''}"></div></details>`}
<div class="actions">${
    approve
      ? html`<button class="primary${risk === 'high' && ' risky'}" name="action" value="approve">${verb(labels?.approve, messages.approve)}</button><button name="action" value="deny"${alone}>${verb(labels?.deny, messages.deny)}</button>`
      : html`${step && !step.isLast ? html`<button class="primary" name="action" value="next">${messages.nextStep}</button>` : html`<button class="primary" name="action" value="submit">${verb(labels?.submit, messages.submit)}</button>`}${
          // After the primary button, because the Enter key presses the first one.
          step && step.index > 0 && html`<button name="action" value="back">${messages.previousStep}</button>`
        }<button name="action" value="decline"${alone}>${verb(labels?.decline, messages.decline)}</button>`
  }</div></form>`
}

/** Returns the errors that a page shows: those of its step, and those of no field. */
function errorsAt(step: Step | undefined, schema: InputSchema | undefined, errors: FieldErrors): FieldErrors {
  if (!step) return errors
  const elsewhere = new Set(schema?.fields.filter((field) => !step.fields.includes(field)).map(({ id }) => id))
  return Object.fromEntries(Object.entries(errors).filter(([id]) => !elsewhere.has(id)))
}

const tone = (name: string | undefined) => (name && ['good', 'warning', 'danger'].includes(name) ? name : 'neutral')

/** Returns a list of the fields with errors, with links to them. */
function summary(
  errors: FieldErrors,
  { messages }: PageLanguage,
  fields: readonly { id: string; label: string }[],
): Html {
  const ids = Object.keys(errors)
  const labelOf = (id: string) => fields.find((field) => field.id === id)?.label ?? id
  return html`<div role="alert"><p>${say(messages.problemsTitle, { count: ids.length })}</p><ul>${ids.map(
    (id) =>
      html`<li><a href="#${fieldName(id)}">${outside(labelOf(id))}</a>: ${(errors[id] ?? []).map((one) => html`${outside(one)} `)}</li>`,
  )}</ul></div>`
}
