import { useCard } from '../../card/elements/card-context.ts'
import type { PartProps } from '../../card/elements/part.tsx'
import { CardKeptDraft } from '../../card/kept-draft.tsx'
import { asJson } from '../../readable/as-json.ts'
import { useApproval } from './approval-context.ts'

/** The reason and the changed arguments of an approval that ended before it was sent, for copying. */
export function ApprovalDialogKeptDraft(props: PartProps) {
  const { interaction, drafts } = useCard()
  const { draft, edited } = useApproval()
  const typed = interaction && drafts?.get(interaction.interactionId)
  const parts = typed
    ? [edited.state === 'edited' ? asJson(edited.args) : '', draft.reason.trim(), draft.instead.trim()]
    : []
  return <CardKeptDraft text={parts.filter(Boolean).join('\n\n')} {...props} />
}
