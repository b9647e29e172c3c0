import { useId } from 'react'
import { useCard } from '../../card/elements/card-context.ts'
import { Field } from '../../field/field.tsx'
import { asJson } from '../../readable/as-json.ts'
import { SafeText } from '../../wording/text.tsx'
import { useApproval } from './approval-context.ts'
import { valuesOfArgs } from './edited-args.ts'

/** Changes the arguments: in fields where the tool's schema is flat enough, else as JSON. */
export function ArgumentsEditor() {
  const { request, messages } = useCard()
  const { draft, change, argsFields, argsProblems: problems } = useApproval()
  const id = useId()
  if (argsFields && request && draft.argsText === null) {
    const values = draft.argsValues ?? valuesOfArgs(request)
    return (
      <div className="hp-fields" data-slot="argument-fields">
        {argsFields.map((field) => (
          <Field
            key={field.id}
            field={field}
            controlId={`${id}${field.id}`}
            value={values[field.id]}
            problems={problems[field.id]}
            onChange={(value) => change({ argsValues: { ...values, [field.id]: value } })}
          />
        ))}
      </div>
    )
  }
  const broken = Object.entries(problems).map(([name, found]) =>
    name ? `${name}: ${found.join(' ')}` : found.join(' '),
  )
  return (
    <>
      <textarea
        className="hp-input hp-code-input"
        data-slot="argument-editor"
        dir="ltr"
        spellCheck={false}
        rows={Math.min(16, (draft.argsText ?? '').split('\n').length + 1)}
        aria-label={messages.argumentsTitle}
        aria-invalid={broken.length > 0 ? true : undefined}
        aria-describedby={broken.length > 0 ? `${id}problem` : undefined}
        value={draft.argsText ?? asJson(request?.args)}
        onChange={(event) => change({ argsText: event.target.value })}
      />
      {broken.length > 0 ? (
        <div className="hp-problem" id={`${id}problem`}>
          {broken.map((text) => (
            <div key={text}>
              <SafeText>{text}</SafeText>
            </div>
          ))}
        </div>
      ) : null}
    </>
  )
}
