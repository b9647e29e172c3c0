import { useState } from 'react'
import { CardButton } from '../../card/elements/button.tsx'
import { useCard } from '../../card/elements/card-context.ts'
import { Part, type PartProps } from '../../card/elements/part.tsx'
import { useApproval } from './approval-context.ts'
import { ArgumentsContent } from './arguments-content.tsx'
import { ArgumentsEditor } from './arguments-editor.tsx'

/**
 * Shows the arguments that will run, as readable rows, with their JSON behind a button. If the server allows it, they
 * can be edited.
 */
export function ApprovalDialogArguments(props: PartProps) {
  const { interaction, request, over, view, id, messages } = useCard()
  const { draft, change, edited, argsProblems, resetArgs } = useApproval()
  const [exact, setExact] = useState(false)
  if (request?.args === undefined) return null
  // Problems are shown at their fields, so the editor stays open.
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
      ) : (
        <ArgumentsContent args={args} exact={exact} {...(changed && { before: request.args })} />
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
