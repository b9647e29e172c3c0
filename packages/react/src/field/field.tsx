import { useCard } from '../card/elements/card-context.ts'
import { Part } from '../card/elements/part.tsx'
import { visible } from '../wording/escape.ts'
import { SafeText } from '../wording/text.tsx'
import { ChoiceControl } from './plain/choice-control.tsx'
import { NumberControl } from './plain/number-control.tsx'
import { TextControl } from './plain/text-control.tsx'
import { RareControl, rareControlOf } from './rare-control.tsx'
import type { ControlProps } from './values/types.ts'

const GROUPS: ReadonlySet<string> = new Set(['radio', 'multiselect', 'daterange'])

/** One field of a form: label, description, control and problems, connected for assistive technology too. */
export function Field(props: ControlProps) {
  const { field, controlId, problems } = props
  const { messages } = useCard()
  const rare = rareControlOf(field)
  const group = rare === 'other' || (rare !== 'search' && GROUPS.has(field.type))
  const label = (
    <>
      <bdi>{visible(field.label)}</bdi>
      {field.required ? <span className="hp-required"> {messages.required}</span> : null}
    </>
  )
  const about = field.description ? (
    <p className="hp-about" id={`${controlId}-about`}>
      <SafeText>{field.description}</SafeText>
    </p>
  ) : null
  const problem = problems?.length ? (
    <p className="hp-problem" id={`${controlId}-problem`}>
      <SafeText>{problems.join(' ')}</SafeText>
    </p>
  ) : null
  if (group) {
    return (
      <Part asChild slotName="field" data-type={field.type} data-invalid={problem ? true : undefined}>
        <fieldset aria-describedby={problem ? `${controlId}-problem` : undefined}>
          <legend className="hp-label">{label}</legend>
          {about}
          <Control {...props} />
          {problem}
        </fieldset>
      </Part>
    )
  }
  if (field.type === 'checkbox') {
    return (
      <Part slotName="field" data-type={field.type} data-invalid={problem ? true : undefined}>
        <label className="hp-choice" htmlFor={controlId}>
          <ChoiceControl {...props} />
          <span>{label}</span>
        </label>
        {about}
        {problem}
      </Part>
    )
  }
  return (
    <Part slotName="field" data-type={field.type} data-invalid={problem ? true : undefined}>
      <label className="hp-label" htmlFor={controlId}>
        {label}
      </label>
      {about}
      <Control {...props} />
      {field.type === 'secret' ? <p className="hp-about">{messages.secretNote}</p> : null}
      {problem}
    </Part>
  )
}

/** A type that we do not know is asked for as text: plain, but it can be answered. */
function Control(props: ControlProps) {
  const rare = rareControlOf(props.field)
  if (rare) return <RareControl control={rare} {...props} />
  switch (props.field.type) {
    case 'select':
    case 'radio':
    case 'multiselect':
      return <ChoiceControl {...props} />
    case 'number':
    case 'integer':
      return <NumberControl {...props} />
    default:
      return <TextControl {...props} />
  }
}
