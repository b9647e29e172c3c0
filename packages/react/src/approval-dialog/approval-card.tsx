import type { ReactNode } from 'react'
import type { CardRootProps } from '../card/card.tsx'
import { useCard } from '../card/elements/card-context.ts'
import { CardPopOut } from '../card/elements/pop-out.tsx'
import { CardFacts } from '../card/facts.tsx'
import { CardActions, CardHeader, CardLoading } from '../card/layout.tsx'
import { CardOutcome } from '../card/outcome.tsx'
import { CardStatus } from '../card/status.tsx'
import { questionOf } from '../wording/question-text.ts'
import { ApprovalDialogApprove, ApprovalDialogDeny } from './actions.tsx'
import { ApprovalDialogArguments } from './arguments/arguments.tsx'
import { ApprovalDialogKeptDraft } from './arguments/kept-draft.tsx'
import { ApprovalDialogReason, ApprovalDialogScopes } from './choices.tsx'
import { ApprovalDialogConfirm } from './confirm-by-name.tsx'
import { ApprovalDialogDiff } from './diff-part.tsx'
import { ApprovalDialogInstead } from './instead.tsx'
import { ApprovalRecord } from './record.tsx'
import { ApprovalDialogRoot } from './root.tsx'

/** The props of the complete `ApprovalDialog`. To arrange its parts yourself, use `ApprovalDialog.Root`. */
export type ApprovalDialogProps = Omit<CardRootProps, 'children'>

/** The complete card of an approval. */
export function ApprovalCard(props: ApprovalDialogProps): ReactNode {
  const { interaction } = props
  const risk = interaction && questionOf(interaction)?.risk
  return (
    <ApprovalDialogRoot {...props}>
      <CardPopOut role="alertdialog" focus={risk === 'low' ? '[data-slot="approve"]' : '[data-slot="deny"]'}>
        <CardHeader icon={risk === 'high' ? 'warning' : 'approval'} />
        <CardLoading />
        <PendingBody />
      </CardPopOut>
      <CardOutcome>
        <ApprovalRecord />
      </CardOutcome>
      <ApprovalDialogKeptDraft />
    </ApprovalDialogRoot>
  )
}

function PendingBody() {
  if (useCard().over) return null
  return (
    <>
      <ApprovalDialogArguments />
      <ApprovalDialogDiff />
      <CardFacts />
      <div className="hp-words">
        <ApprovalDialogReason />
        <ApprovalDialogInstead />
      </div>
      <ApprovalDialogConfirm />
      <CardActions>
        <ApprovalDialogDeny />
        <ApprovalDialogApprove />
        <ApprovalDialogScopes />
        <CardStatus />
      </CardActions>
    </>
  )
}
