import { type ReactNode, useCallback, useMemo } from 'react'
import { changeIds } from '../base/changes.ts'
import { useDraft } from '../card/behavior/use-draft.ts'
import { CardRoot, type CardRootProps } from '../card/card.tsx'
import { useView } from '../card/elements/use-view.ts'
import { storableValues } from '../field/values/storable-values.ts'
import { useSettings } from '../settings/use-settings.ts'
import { infoOf } from '../wording/names.ts'
import { questionOf } from '../wording/question-text.ts'
import { type Approval, ApprovalContext, type ApprovalDraft, type EditedArgs } from './arguments/approval-context.ts'
import { draftOfRefusedEdit, editedArgs, fieldsForArgs, problemsOfArgs } from './arguments/edited-args.ts'
import { useConfirm } from './confirm/use-confirm.ts'

const untouched: ApprovalDraft = {
  scope: 'once',
  reason: '',
  instead: '',
  editing: false,
  json: false,
  argsText: null,
  argsForm: null,
  argsProblems: null,
  argsValues: null,
  decisions: {},
}

/** The frame of an approval; its parts go inside. Without parts of your own use `<ApprovalDialog>` itself. */
export function ApprovalDialogRoot({ children, ...props }: CardRootProps): ReactNode {
  const { interaction } = props
  const { messages, locale, tools, confirmHighRisk } = useSettings()
  const request = interaction && questionOf(interaction)
  const [draft, change] = useDraft<ApprovalDraft>(
    interaction,
    (kept) => ({
      ...untouched,
      // Only this is kept of the previous prompt: its edit and scope were for other arguments, or were refused.
      ...(kept && { reason: kept.reason ?? '', instead: kept.instead ?? '', decisions: kept.decisions ?? {} }),
      ...draftOfRefusedEdit(request),
    }),
    (typed) => ({
      ...typed,
      argsValues: typed.argsValues && storableValues((request && fieldsForArgs(request)) ?? [], typed.argsValues),
    }),
  )
  const { canRemember } = useView(interaction, props)
  const resetArgs = useCallback(
    () => change({ argsText: null, argsForm: null, argsProblems: null, argsValues: null }),
    [change],
  )
  const toolName = interaction?.toolName ?? ''
  const tool = infoOf(tools, toolName)
  const confirm = useConfirm(request, tool, confirmHighRisk, messages)
  const approval = useMemo<Approval>(() => {
    const hunks = changeIds(request?.diff)
    const accepted = hunks.filter((id) => draft.decisions[id] !== 'reject').length
    const edited: EditedArgs = request ? editedArgs(request, draft, messages, locale) : { state: 'untouched' }
    const partial = accepted < hunks.length
    return {
      draft,
      change,
      edited,
      argsFields: request && fieldsForArgs(request),
      argsProblems: problemsOfArgs(interaction, edited),
      resetArgs,
      confirm,
      hunks: hunks.length,
      accepted,
      onceOnly: edited.state !== 'untouched' ? 'edited' : partial ? 'partial' : canRemember ? undefined : 'not_yours',
    }
  }, [draft, change, request, messages, locale, resetArgs, interaction, canRemember, confirm])
  return (
    <ApprovalContext.Provider value={approval}>
      <CardRoot {...props} kind="approval" data-risk={request?.risk}>
        {children}
      </CardRoot>
    </ApprovalContext.Provider>
  )
}
