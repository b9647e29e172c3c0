import type { ReactNode } from 'react'
import { useOnDemand } from '../base/on-demand.ts'
import { useCard } from '../card/elements/card-context.ts'
import { SafeText } from '../wording/text.tsx'
import { ApprovalDialogArguments } from './arguments/arguments.tsx'
import { ApprovalDialogDiff, diffViewer } from './diff-part.tsx'

/** Shows the question and the decision, behind the one line of a settled card. */
export function ApprovalRecord(): ReactNode {
  const { interaction, request, messages } = useCard()
  const { part } = useOnDemand(diffViewer)
  const edited = interaction?.response?.args
  const reason = interaction?.response?.reason
  const message = interaction?.closed?.message
  return (
    <>
      {message ? (
        <p className="hp-record-text">
          <SafeText>{message}</SafeText>
        </p>
      ) : null}
      {edited === undefined || !part ? (
        <ApprovalDialogArguments />
      ) : (
        <part.ArgsChange asked={request?.args} approved={edited} />
      )}
      <ApprovalDialogDiff />
      {reason ? (
        <dl className="hp-values">
          <dt>{messages.reasonGiven}</dt>
          <dd>
            <SafeText>{reason}</SafeText>
          </dd>
        </dl>
      ) : null}
    </>
  )
}
