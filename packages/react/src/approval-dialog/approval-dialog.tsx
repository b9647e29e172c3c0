import type { ReactNode } from 'react'
import type { CardRootProps } from '../card/card.tsx'
import { useCard } from '../card/elements/card-context.ts'
import { CardPopOut, CardPopOutTrigger } from '../card/elements/pop-out.tsx'
import { CardFacts } from '../card/facts.tsx'
import { CardAbout, CardByline, CardPrompt, CardTitle } from '../card/heading.tsx'
import { CardActions, CardHeader, CardLoading } from '../card/layout.tsx'
import { CardOutcome } from '../card/outcome.tsx'
import { CardRisk } from '../card/risk.tsx'
import { CardStatus } from '../card/status.tsx'
import { CardTimeLeft } from '../card/time-left.tsx'
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

function Complete(props: ApprovalDialogProps): ReactNode {
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

/**
 * Asks the person to approve or deny. Use it as it is, or compose it from its parts. Each part accepts `asChild` and
 * renders nothing without content.
 *
 * @example
 * <ApprovalDialog interaction={question} />
 *
 * @example
 * <ApprovalDialog.Root interaction={question}>
 *   <ApprovalDialog.Prompt />
 *   <ApprovalDialog.Arguments />
 *   <ApprovalDialog.Actions><ApprovalDialog.Deny /><ApprovalDialog.Approve /></ApprovalDialog.Actions>
 *   <ApprovalDialog.Outcome />
 * </ApprovalDialog.Root>
 */
export const ApprovalDialog = /* @__PURE__ */ Object.assign(Complete, {
  Root: ApprovalDialogRoot,
  Title: CardTitle,
  Risk: CardRisk,
  Facts: CardFacts,
  About: CardAbout,
  Confirm: ApprovalDialogConfirm,
  Byline: CardByline,
  Prompt: CardPrompt,
  TimeLeft: CardTimeLeft,
  PopOut: CardPopOut,
  PopOutTrigger: CardPopOutTrigger,
  Arguments: ApprovalDialogArguments,
  Diff: ApprovalDialogDiff,
  Scopes: ApprovalDialogScopes,
  Reason: ApprovalDialogReason,
  Instead: ApprovalDialogInstead,
  Status: CardStatus,
  Actions: CardActions,
  Deny: ApprovalDialogDeny,
  Approve: ApprovalDialogApprove,
  Outcome: CardOutcome,
  KeptDraft: ApprovalDialogKeptDraft,
})
