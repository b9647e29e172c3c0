import type { ReactNode } from 'react'
import { useCard } from '../card/elements/card-context.ts'
import { SafeText } from '../wording/text.tsx'
import { ArgsChange } from './args-change.tsx'
import { ApprovalDialogArguments } from './arguments/arguments.tsx'
import { ApprovalDialogDiff } from './diff.tsx'

/** What was asked and what was decided, behind the one line of a settled card. */
export function ApprovalRecord(): ReactNode {
  const { interaction, request, messages } = useCard()
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
      {edited === undefined ? <ApprovalDialogArguments /> : <ArgsChange asked={request?.args} approved={edited} />}
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
