import { useState } from 'react'
import { CardButton } from '../../card/elements/button.tsx'
import { useCard } from '../../card/elements/card-context.ts'
import { Part, type PartProps } from '../../card/elements/part.tsx'
import { ExactRequest } from '../../readable/exact-request.tsx'
import { ReadableArguments } from '../../readable/readable-arguments.tsx'
import { useApproval } from './approval-context.ts'
import { ArgumentsEditor } from './arguments-editor.tsx'

/**
 * The very arguments that will run, as rows that anybody can read; their JSON is one press away. Where the server allows
 * it, they can be changed.
 */
export function ApprovalDialogArguments(props: PartProps) {
  const { interaction, request, over, view, id, messages } = useCard()
  const { draft, change, edited, argsProblems, resetArgs } = useApproval()
  const [exact, setExact] = useState(false)
  if (request?.args === undefined) return null
  // What is wrong stands beside its field, so the editor stays open for it.
  const editing = (draft.editing || Object.keys(argsProblems).length > 0) && view.canAnswer
  const theirs = over ? interaction?.response?.args : edited.state === 'edited' ? edited.args : undefined
  const changed = over ? theirs !== undefined : edited.state !== 'untouched'
  const args = theirs ?? request.args
  const title = over
    ? messages[changed ? 'approvedArguments' : 'askedFor']
    : messages[changed ? 'editedArguments' : 'argumentsTitle']
  return (
    <Part
      slotName="arguments"
      role="group"
      aria-labelledby={id('arguments')}
      data-edited={changed || undefined}
      {...props}
    >
      <div className="hp-section-title">
        <span id={id('arguments')}>{title}</span>
        <span className="hp-section-actions">
          {editing ? null : (
            <CardButton slotName="exact" variant="quiet" aria-pressed={exact} onPress={() => setExact(!exact)}>
              {messages.exactRequest}
            </CardButton>
          )}
          {request.editable && view.canAnswer ? (
            <CardButton slotName="edit" variant="quiet" onPress={() => change({ editing: !draft.editing })}>
              {editing ? messages.stopEditing : messages.edit}
            </CardButton>
          ) : null}
        </span>
      </div>
      {editing ? (
        <ArgumentsEditor />
      ) : exact ? (
        <ExactRequest args={args} />
      ) : (
        <ReadableArguments args={args} {...(changed && { before: request.args })} />
      )}
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
