import { askedFields } from '../../forms/fields/conditions.ts'
import type { FieldSpec } from '../../forms/fields/types.ts'
import { validateInput } from '../../forms/fields/validate-input.ts'
import type { Answer } from '../../machine/state/types.ts'
import type { InteractionRequestEvent } from '../../protocol/events.ts'

import { escapeToOneLine } from '../../text/escape-invisible.ts'
import { type Prompter, TOO_EARLY } from './prompter.ts'

/** Asks field by field and checks each value when it is typed. At the end the person sends, edits or declines. */
export async function askFields(
  request: InteractionRequestEvent,
  prompter: Prompter,
  signal: AbortSignal,
): Promise<Answer> {
  const fields = request.inputSchema?.fields ?? []
  const upload = fields.find(({ type, required, when }) => type === 'file' && required && !when)
  if (upload) return declineUpload(upload, prompter)
  let kept: Record<string, unknown> = { ...request.initialValues }
  for (;;) {
    const input: Record<string, unknown> = {}
    let group: string | undefined
    for (const field of fields) {
      // By the same rule as on every surface: what is not asked is not sent.
      if (!askedFields(fields, input).includes(field)) continue
      if (field.type === 'file' && field.required) return declineUpload(field, prompter)
      if (field.type === 'file') continue
      if (field.group !== undefined && field.group !== group) prompter.print(`— ${escapeToOneLine(field.group)} —`)
      group = field.group
      for (const problem of request.fieldErrors?.[field.id] ?? []) prompter.print(`  ! ${escapeToOneLine(problem)}`)
      const value = await askField(field, kept[field.id], prompter, signal)
      if (value === DECLINED) return { action: 'decline' }
      if (value !== undefined) input[field.id] = value
    }
    const verb = request.labels?.submit ? escapeToOneLine(request.labels.submit) : 'send'
    const ask = () => prompter.line(`[y = ${verb} / e = edit / n = decline] `, { signal })
    let typed = await ask()
    while (isYes(typed) && !prompter.readable()) {
      prompter.print(TOO_EARLY)
      typed = await ask()
    }
    if (isYes(typed)) return { action: 'submit', input }
    if (isNo(typed)) return { action: 'decline' }
    kept = input
  }
}

function declineUpload({ label }: FieldSpec, prompter: Prompter): Answer {
  prompter.print(`"${escapeToOneLine(label)}" is a file, which a terminal cannot upload. Answer in a browser.`)
  return { action: 'decline', reason: 'A terminal cannot upload a file.' }
}

const DECLINED = Symbol('declined')

const isYes = (typed: string) => ['y', 'yes'].includes(typed.trim().toLowerCase())
const isNo = (typed: string) => ['n', 'no'].includes(typed.trim().toLowerCase())

/** Without this a person who refuses to tick a required box could neither continue nor decline. */
const declinedBy = (field: FieldSpec, raw: unknown) =>
  raw === false && field.type === 'checkbox' && field.const && field.required

async function askField(asked: FieldSpec, kept: unknown, prompter: Prompter, signal: AbortSignal): Promise<unknown> {
  // Its condition holds already, and without the other fields it cannot be checked again.
  const { when: _when, ...alone } = asked
  const field = alone as FieldSpec
  const options =
    'options' in field && Array.isArray(field.options) ? (field.options as { value: string; label: string }[]) : null
  const standing =
    field.type === 'secret' ? undefined : (kept ?? ('defaultValue' in field ? field.defaultValue : undefined))
  prompter.print(`${escapeToOneLine(field.label)}${field.required ? ' (required)' : ''}`)
  if (field.description) prompter.print(`  ${escapeToOneLine(field.description)}`)
  if (options) printOptions(options, options, prompter)
  if (options && 'other' in field && field.other) prompter.print('  or an answer in your own words')
  const hint = standing === undefined || standing === '' ? '' : `[${shown(standing, options)}] `
  for (;;) {
    const typed = await prompter.line(`  ${hint}${hintOf(field)}> `, { hidden: field.type === 'secret', signal })
    const one = options && field.type !== 'multiselect' && !('other' in field && field.other)
    const found = one ? search(typed, options) : null
    if (options && found && found.length > 1) {
      printOptions(options, found, prompter)
      continue
    }
    const raw = typed === '' ? standing : parseTyped(field, found?.[0]?.label ?? typed, options)
    // Enter alone must not confirm an unticked box.
    if (typed !== '' && declinedBy(field, raw)) return DECLINED
    const checked = validateInput([field], raw === undefined ? {} : { [field.id]: raw }, { localTime: true })
    if (checked.ok) return (checked.value as Record<string, unknown>)[field.id]
    for (const { message } of Object.values(checked.problems).flat()) prompter.print(`  ! ${message}`)
    // Without this a person without a required answer could not reach the end of the form, where it is declined.
    if (typed === '' && (await wantsToDecline(prompter, signal))) return DECLINED
  }
}

async function wantsToDecline(prompter: Prompter, signal: AbortSignal): Promise<boolean> {
  return isNo(await prompter.line('  [Enter = answer it / n = decline] ', { signal }))
}

/** Above this number of options the person searches them. */
const SHOWN_OPTIONS = 15

type Option = { value: string; label: string }

/** Lists options by their numbers, which stay the same when only some of them are shown. */
function printOptions(all: readonly Option[], some: readonly Option[], prompter: Prompter): void {
  for (const option of some.slice(0, SHOWN_OPTIONS)) {
    prompter.print(`  ${all.indexOf(option) + 1}  ${escapeToOneLine(option.label)}`)
  }
  const more = some.length - SHOWN_OPTIONS
  if (more > 0) prompter.print(`  … and ${more} more: type a part of the name`)
}

/** The options that a part of a name finds; null if the text is a number, a whole name or nothing. */
function search(typed: string, options: readonly Option[]): readonly Option[] | null {
  const text = typed.trim().toLowerCase()
  if (text === '' || options[Number(text) - 1] || optionNamed(text, options)) return null
  const found = options.filter(({ label }) => label.toLowerCase().includes(text))
  return found.length > 0 ? found : null
}

const optionNamed = (text: string, options: readonly Option[]) =>
  options.find(({ value }) => value === text) ??
  options.find(({ label }) => label.trim().toLowerCase() === text.toLowerCase())

/** Numbers and names select options, `y` and `n` set a checkbox. */
function parseTyped(field: FieldSpec, typed: string, options: Option[] | null): unknown {
  const choice = (text: string) =>
    (options?.[Number(text.trim()) - 1] ?? optionNamed(text.trim(), options ?? []))?.value ?? text.trim()
  if (field.type === 'multiselect')
    return typed
      .split(',')
      .filter((part) => part.trim())
      .map(choice)
  if (options) return choice(typed)
  if (field.type !== 'checkbox') return typed
  return isYes(typed) ? true : isNo(typed) ? false : typed
}

function hintOf(field: FieldSpec): string {
  const { type } = field
  if (declinedBy(field, false)) return '(y, or n to decline) '
  if (type === 'checkbox') return '(y/n) '
  if (type === 'multiselect') return '(numbers, with commas) '
  if (type === 'date') return '(year-month-day) '
  if (type === 'daterange') return '(first/last day, as 2026-01-31/2026-02-03) '
  if (type === 'phone') return '(with country code, as +49 30 1234567) '
  if (type === 'money') return `(${escapeToOneLine(field.currency)}) `
  if (type === 'datetime') return '(2026-01-31T09:30) '
  return ''
}

function shown(value: unknown, options: Option[] | null): string {
  if (typeof value === 'object' && value !== null && 'from' in value && 'to' in value)
    return `${value.from}/${value.to}`
  const label = (one: unknown) => escapeToOneLine(options?.find((option) => option.value === one)?.label ?? String(one))
  return Array.isArray(value)
    ? value.map(label).join(', ')
    : value === true
      ? 'yes'
      : value === false
        ? 'no'
        : label(value)
}
