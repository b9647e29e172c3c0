import { useCard } from '../card/elements/card-context.ts'
import { Part } from '../card/elements/part.tsx'
import { visible } from '../wording/escape.ts'
import { SafeText } from '../wording/text.tsx'
import { ChoiceControl } from './choice-control.tsx'
import { FileControl } from './file-control.tsx'
import { NumberControl } from './number-control.tsx'
import { SecretControl } from './secret-control.tsx'
import { TextControl } from './text-control.tsx'
import type { ControlProps } from './types.ts'

const GROUPS: ReadonlySet<string> = new Set(['radio', 'multiselect'])

/** One field of a form: label, description, control and what is wrong with it, tied together for everybody. */
export function Field(props: ControlProps) {
  const { field, controlId, problems } = props
  const { messages } = useCard()
  const group = GROUPS.has(field.type)
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
          <ChoiceControl {...props} />
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
  switch (props.field.type) {
    case 'select':
      return <ChoiceControl {...props} />
    case 'file':
      return <FileControl {...props} />
    case 'number':
    case 'integer':
      return <NumberControl {...props} />
    case 'secret':
      return <SecretControl {...props} />
    default:
      return <TextControl {...props} />
  }
}
