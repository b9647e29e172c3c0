import type { FieldSpec } from '@holdpoint/core/internal'
import { type EditableValue, valueId } from '@holdpoint/core/internal/editing'
import { useCard } from '../../card/elements/card-context.ts'
import { Field } from '../../field/field.tsx'
import { ReadableArguments } from '../../readable/readable-arguments.tsx'
import { type FormProps, GroupFields, type Place } from './argument-fields.tsx'
import { ArgumentList } from './argument-list.tsx'

interface FieldProps extends FormProps {
  value: EditableValue
  place: Place
  /** Escaped already. */
  label: string
  about?: string
}

/** The field of one value, by its kind. A group or list is a fieldset around the fields inside. */
export function ArgumentField({ value, place, label, about, ...props }: FieldProps) {
  const controlId = controlIdOf(props.id, place)
  const problems = props.problems[valueId(place.keys)]
  if (value.kind !== 'group' && value.kind !== 'list' && value.kind !== 'fixed') {
    const field = { ...fieldOf(value, label, controlId), ...(about !== undefined && { description: about }) }
    const change = (next: unknown) => props.change(place.at, changed(value, next))
    return <Field field={field} controlId={controlId} value={shownIn(value)} problems={problems} onChange={change} />
  }
  const problem = problems?.length ? <p className="hp-problem">{problems.join(' ')}</p> : null
  return (
    <fieldset className={value.kind === 'group' ? 'hp-group' : 'hp-field'} data-slot="argument" data-kind={value.kind}>
      <legend className="hp-label">
        <bdi>{label}</bdi>
      </legend>
      {value.kind === 'fixed' ? (
        <FixedValue value={value.value} />
      ) : value.kind === 'group' ? (
        <GroupFields {...props} group={value} place={place} />
      ) : (
        <ArgumentList {...props} list={value} place={place} label={label} />
      )}
      {problem}
    </fieldset>
  )
}

function FixedValue({ value }: { value: unknown }) {
  const { messages } = useCard()
  return (
    <>
      <ReadableArguments args={value} />
      <p className="hp-about">{messages.onlyAsJson}</p>
    </>
  )
}

export const controlIdOf = (id: string, place: Place) => `${id}${place.at.join('-')}`

/** Shows a keyboard with a minus. */
const BELOW_ZERO = { minimum: Number.MIN_SAFE_INTEGER }

type Leaf = Exclude<EditableValue, { kind: 'group' | 'list' | 'fixed' }>

/** Browsers have no memory of what is typed into arguments, and fill in nothing. */
export function fieldOf(value: Leaf, label: string, id: string): FieldSpec {
  const shared = { id, label, autocomplete: 'off' }
  if (value.kind === 'number') return { ...shared, type: 'number', ...(value.value < 0 && BELOW_ZERO) }
  if (value.kind === 'flag') return { ...shared, type: 'checkbox' }
  if (value.kind === 'date') return { ...shared, type: 'date' }
  return { ...shared, type: value.lines ? 'textarea' : 'text' }
}

export const shownIn = (value: Leaf): unknown =>
  value.kind === 'flag' ? value.on : value.kind === 'number' ? (value.typed ?? String(value.value)) : value.text

export function changed(value: Leaf, next: unknown): Leaf {
  if (value.kind === 'flag') return { ...value, on: next === true }
  return value.kind === 'number' ? { ...value, typed: String(next) } : { ...value, text: String(next) }
}
