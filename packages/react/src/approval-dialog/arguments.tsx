import { useId } from 'react'
import { CardButton } from '../card/button.tsx'
import { useCard } from '../card/card-context.ts'
import { CodeBlock } from '../card/code-block.tsx'
import { Part, type PartProps } from '../card/part.tsx'
import { Field } from '../field/field.tsx'
import { SafeText } from '../wording/text.tsx'
import { useApproval } from './approval-context.ts'
import { asJson, valuesOfArgs } from './edited-args.ts'

/** The very arguments that will run; where the server allows it, they can be changed. */
export function ApprovalDialogArguments(props: PartProps) {
  const { interaction, request, over, view, messages } = useCard()
  const { draft, change, edited, argsProblems, resetArgs } = useApproval()
  if (request?.args === undefined) return null
  // What is wrong stands beside its field, so the editor stays open for it.
  const editing = (draft.editing || Object.keys(argsProblems).length > 0) && view.canAnswer
  const theirs = over ? interaction?.response?.args : edited.state === 'edited' ? edited.args : undefined
  const changed = over ? theirs !== undefined : edited.state !== 'untouched'
  return (
    <Part slotName="arguments" data-edited={changed || undefined} {...props}>
      <div className="hp-section-title">
        <span>
          {over
            ? messages[changed ? 'approvedArguments' : 'askedFor']
            : messages[changed ? 'editedArguments' : 'argumentsTitle']}
        </span>
        {request.editable && view.canAnswer ? (
          <CardButton slotName="edit" variant="quiet" onPress={() => change({ editing: !draft.editing })}>
            {editing ? messages.stopEditing : messages.edit}
          </CardButton>
        ) : null}
      </div>
      {editing ? <Editor /> : <CodeBlock text={asJson(theirs ?? request.args)} />}
      {changed && !over ? (
        <div className="hp-note">
          <span>{messages.editedNote}</span>
          <CardButton slotName="reset" variant="quiet" blocked={!view.canAnswer} onPress={resetArgs}>
            {messages.resetArguments}
          </CardButton>
        </div>
      ) : null}
    </Part>
  )
}

function Editor() {
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
