import { say } from '@holdpoint/core/internal'
import { useEffect } from 'react'
import { useCard } from '../card/elements/card-context.ts'
import { Part, type PartProps } from '../card/elements/part.tsx'
import { nameText } from '../wording/escape.ts'
import { Text } from '../wording/text.tsx'
import { useApproval } from './arguments/approval-context.ts'

/**
 * The input in which a name is typed before an approval with high risk counts. It renders nothing if typing is not
 * required.
 */
export function ApprovalDialogConfirm(props: PartProps) {
  const { open, view, id, messages } = useCard()
  const { confirm } = useApproval()
  const wanted = open && confirm.how === 'type'
  const { mount } = confirm
  useEffect(() => (wanted ? mount() : undefined), [wanted, mount])
  if (!wanted) return null
  const confirmed = confirm.isNamed
  return (
    <Part slotName="confirm" data-confirmed={confirmed || undefined} {...props}>
      <label className="hp-label" htmlFor={id('confirm')}>
        <Text>{say(messages.confirmType, { name: nameText(confirm.name) })}</Text>
      </label>
      <input
        className="hp-input"
        id={id('confirm')}
        type="text"
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        value={confirm.typed}
        readOnly={!view.canAnswer}
        onChange={(event) => confirm.type(event.target.value)}
        // Enter in a line of text never approves.
        onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
      />
    </Part>
  )
}
