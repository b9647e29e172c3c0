import { CardPopOut, CardPopOutTrigger } from '../card/elements/pop-out.tsx'
import { CardFacts } from '../card/facts.tsx'
import { CardAbout, CardByline, CardPrompt, CardTitle } from '../card/heading.tsx'
import { CardActions } from '../card/layout.tsx'
import { CardOutcome } from '../card/outcome.tsx'
import { CardRisk } from '../card/risk.tsx'
import { CardStatus } from '../card/status.tsx'
import { CardTimeLeft } from '../card/time-left.tsx'
import { ApprovalDialogApprove, ApprovalDialogDeny } from './actions.tsx'
import { ApprovalCard } from './approval-card.tsx'
import { ApprovalDialogArguments } from './arguments/arguments.tsx'
import { ApprovalDialogKeptDraft } from './arguments/kept-draft.tsx'
import { ApprovalDialogReason, ApprovalDialogScopes } from './choices.tsx'
import { ApprovalDialogConfirm } from './confirm-by-name.tsx'
import { ApprovalDialogDiff } from './diff-part.tsx'
import { ApprovalDialogInstead } from './instead.tsx'
import { ApprovalDialogRoot } from './root.tsx'

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
export const ApprovalDialog = /* @__PURE__ */ Object.assign(ApprovalCard, {
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
