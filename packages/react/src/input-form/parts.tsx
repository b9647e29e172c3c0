import { type FieldSpec, say } from '@holdpoint/core/internal'
import { type FormEvent, type KeyboardEvent, type ReactNode, useEffect, useRef } from 'react'
import { AnswerButton } from '../card/elements/answer-button.tsx'
import { useCard } from '../card/elements/card-context.ts'
import { Part, type PartProps } from '../card/elements/part.tsx'
import { CardKeptDraft } from '../card/kept-draft.tsx'
import { Field } from '../field/field.tsx'
import { shownValue } from '../field/read-only-values.tsx'
import { SafeText } from '../wording/text.tsx'
import { useForm } from './form-context.ts'

/**
 * The form element around the fields and the buttons. Enter in a line of text submits it. It has no accessible name,
 * because a name would make it a landmark inside of a card with the same name.
 */
export function InputFormForm({ children }: { children?: ReactNode }) {
  const { open } = useCard()
  const { submit } = useForm()
  if (!open) return null
  return (
    <Part asChild slotName="form">
      <form
        noValidate
        onSubmit={(event: FormEvent) => {
          event.preventDefault()
          event.stopPropagation()
          submit()
        }}
        onKeyDown={(event: KeyboardEvent) => {
          const composing = event.nativeEvent.isComposing || event.keyCode === 229
          const line = event.target instanceof HTMLInputElement
          // An Enter that ends a composition, or that is a repeat of a held key, does not submit.
          if (event.key === 'Enter' && line && (composing || event.repeat)) event.preventDefault()
        }}
      >
        {children}
      </form>
    </Part>
  )
}

/** Shows the typed input of a form that ended before it was sent, for copying. Renders nothing without input. */
export function InputFormKeptDraft(props: PartProps) {
  const { interaction, drafts, messages, locale } = useCard()
  const { asked, values } = useForm()
  const typed = interaction && drafts?.get(interaction.interactionId)
  const shown = typed ? asked.filter(({ id, type }) => type !== 'secret' && type !== 'file' && isTyped(values[id])) : []
  const text = shown
    .map((field) => `${field.label}: ${shownValue(field, values[field.id], messages, locale)}`)
    .join('\n')
  return <CardKeptDraft text={text} {...props} />
}

const isTyped = (value: unknown) => value !== undefined && value !== '' && value !== false && !isEmptyList(value)
const isEmptyList = (value: unknown) => Array.isArray(value) && value.length === 0

/** All fields, or those that are given as children. */
export function InputFormFields(props: PartProps) {
  const { open, view, messages } = useCard()
  const { steps, values, problems, controlId, setValue, upload } = useForm()
  if (!open) return null
  const drawn = steps.groups.flatMap(({ fields }) => fields)
  const mixed = drawn.some(({ required }) => required) && !drawn.every(({ required }) => required)
  const draw = (field: FieldSpec) => (
    <Field
      key={field.id}
      field={field}
      controlId={controlId(field.id)}
      value={values[field.id]}
      problems={problems[field.id]}
      readOnly={!view.canAnswer}
      upload={upload}
      onChange={(value) => setValue(field.id, value)}
    />
  )
  return (
    <Part slotName="fields" {...props}>
      {mixed ? <p className="hp-about">{say(messages.requiredLegend, { mark: messages.required })}</p> : null}
      {props.children ??
        steps.groups.map(({ name, fields }) =>
          name === undefined ? (
            fields.map(draw)
          ) : (
            <fieldset key={`group ${fields[0]?.id}`} className="hp-group" data-slot="group">
              <legend className="hp-label">
                <SafeText>{name}</SafeText>
              </legend>
              {fields.map(draw)}
            </fieldset>
          ),
        )}
    </Part>
  )
}

/**
 * Shows the problems of a rejected submission: several as links to their fields; a single one gets the focus itself.
 * The focus moves only if it was in the card: a card never takes it.
 */
export function InputFormErrorSummary(props: PartProps) {
  const { id, messages } = useCard()
  const { fields, problems, refusals, controlId } = useForm()
  const wrong = Object.keys(problems)
  const summary = useRef<HTMLElement>(null)
  const handled = useRef(refusals)
  const only = wrong.length === 1 ? controlId(wrong[0]!) : undefined
  useEffect(() => {
    if (handled.current === refusals) return
    handled.current = refusals
    const target = (only && document.getElementById(only)) || summary.current
    const card = target?.closest('[data-slot="pop-out-view"], [data-slot="card"]')
    if (card?.contains(document.activeElement)) target?.focus()
  }, [refusals, only])
  const known = new Map(fields.map((field) => [field.id, field.label]))
  // A problem of a shown field is shown at the field, and a problem of the whole form only here.
  if (wrong.length === 0 || (wrong.length === 1 && known.has(wrong[0]!))) return null
  return (
    <Part ref={summary} slotName="error-summary" role="group" tabIndex={-1} aria-labelledby={id('problems')} {...props}>
      <p id={id('problems')} className="hp-summary-title">
        {say(messages.problemsTitle, { count: wrong.length })}
      </p>
      <ul>
        {wrong.map((fieldId) => {
          const label = known.get(fieldId)
          const text = problems[fieldId]?.join(' ') ?? ''
          return (
            <li key={fieldId}>
              {label === undefined ? (
                <SafeText>{text}</SafeText>
              ) : (
                <a
                  href={`#${controlId(fieldId)}`}
                  onClick={(event) => {
                    event.preventDefault()
                    document.getElementById(controlId(fieldId))?.focus()
                  }}
                >
                  <SafeText>{label}</SafeText>: <SafeText>{text}</SafeText>
                </a>
              )}
            </li>
          )
        })}
      </ul>
    </Part>
  )
}

/** Submits the form. The form sends the answer, so that a press and Enter have the same effect. */
export function InputFormSubmit(props: PartProps) {
  const { messages } = useCard()
  const { steps } = useForm()
  // The host's word for the button is about the whole form.
  const wording = steps.isLast ? { label: 'submit' as const, text: messages.submit } : { text: messages.nextStep }
  return <AnswerButton slotName="submit" type="submit" variant="primary" {...wording} {...props} />
}

/** Declines the question: the assistant learns that there will be no answer. */
export function InputFormDecline(props: PartProps) {
  const text = useCard().messages.decline
  return (
    <AnswerButton
      slotName="decline"
      variant="secondary"
      label="decline"
      text={text}
      answer={{ action: 'decline' }}
      {...props}
    />
  )
}

/** Dismisses the question without approving or denying it. */
export function InputFormDismiss(props: PartProps) {
  const text = useCard().messages.dismiss
  return (
    <AnswerButton
      slotName="dismiss"
      variant="quiet"
      label="cancel"
      text={text}
      answer={{ action: 'cancel' }}
      {...props}
    />
  )
}
