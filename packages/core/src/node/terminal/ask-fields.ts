import type { FieldSpec } from '../../forms/fields/types.ts'
import { validateInput } from '../../forms/fields/validate-input.ts'
import type { Answer } from '../../machine/state/types.ts'
import type { InteractionRequestEvent } from '../../protocol/events.ts'

import { visibleLine } from '../../text/visible.ts'
import { type Prompter, TOO_EARLY } from './prompter.ts'

/** Asks field by field and checks each value when it is typed. At the end the person sends, edits or declines. */
export async function askFields(
  request: InteractionRequestEvent,
  prompter: Prompter,
  signal: AbortSignal,
): Promise<Answer> {
  const fields = request.inputSchema?.fields ?? []
  const upload = fields.find(({ type, required }) => type === 'file' && required)
  if (upload) {
    prompter.print(`"${visibleLine(upload.label)}" is a file, which a terminal cannot upload. Answer in a browser.`)
    return { action: 'decline', reason: 'A terminal cannot upload a file.' }
  }
  let kept: Record<string, unknown> = { ...request.initialValues }
  for (;;) {
    const input: Record<string, unknown> = {}
    for (const field of fields) {
      if (field.type === 'file') continue
      for (const said of request.fieldErrors?.[field.id] ?? []) prompter.print(`  ! ${visibleLine(said)}`)
      const value = await askField(field, kept[field.id], prompter, signal)
      if (value === DECLINED) return { action: 'decline' }
      if (value !== undefined) input[field.id] = value
    }
    const verb = request.labels?.submit ? visibleLine(request.labels.submit) : 'send'
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

const DECLINED = Symbol('declined')

const isYes = (typed: string) => ['y', 'yes'].includes(typed.trim().toLowerCase())
const isNo = (typed: string) => ['n', 'no'].includes(typed.trim().toLowerCase())

/** Who does not want to tick what must be ticked could not get past it, and so not decline either. */
const declinedBy = (field: FieldSpec, raw: unknown) =>
  raw === false && field.type === 'checkbox' && field.const && field.required

async function askField(field: FieldSpec, kept: unknown, prompter: Prompter, signal: AbortSignal): Promise<unknown> {
  const options =
    'options' in field && Array.isArray(field.options) ? (field.options as { value: string; label: string }[]) : null
  const standing =
    field.type === 'secret' ? undefined : (kept ?? ('defaultValue' in field ? field.defaultValue : undefined))
  prompter.print(`${visibleLine(field.label)}${field.required ? ' (required)' : ''}`)
  if (field.description) prompter.print(`  ${visibleLine(field.description)}`)
  options?.forEach(({ label }, n) => {
    prompter.print(`  ${n + 1}  ${visibleLine(label)}`)
  })
  const hint = standing === undefined || standing === '' ? '' : `[${shown(standing, options)}] `
  for (;;) {
    const typed = await prompter.line(`  ${hint}${hintOf(field)}> `, { hidden: field.type === 'secret', signal })
    const raw = typed === '' ? standing : meant(field, typed, options)
    // Enter alone must not confirm an unticked box.
    if (typed !== '' && declinedBy(field, raw)) return DECLINED
    const checked = validateInput([field], raw === undefined ? {} : { [field.id]: raw }, { localTime: true })
    if (checked.ok) return (checked.value as Record<string, unknown>)[field.id]
    for (const { message } of Object.values(checked.problems).flat()) prompter.print(`  ! ${message}`)
    // Who has no answer to what must be answered could not get to the end of the form, and decline it there.
    if (typed === '' && (await wantsToDecline(prompter, signal))) return DECLINED
  }
}

async function wantsToDecline(prompter: Prompter, signal: AbortSignal): Promise<boolean> {
  return isNo(await prompter.line('  [Enter = answer it / n = decline] ', { signal }))
}

/** Numbers select options, `y` and `n` set a checkbox. */
function meant(field: FieldSpec, typed: string, options: { value: string }[] | null): unknown {
  const choice = (text: string) => options?.[Number(text.trim()) - 1]?.value ?? text.trim()
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
  if (type === 'datetime') return '(2026-01-31T09:30) '
  return ''
}

function shown(value: unknown, options: { value: string; label: string }[] | null): string {
  const label = (one: unknown) => visibleLine(options?.find((option) => option.value === one)?.label ?? String(one))
  return Array.isArray(value)
    ? value.map(label).join(', ')
    : value === true
      ? 'yes'
      : value === false
        ? 'no'
        : label(value)
}
