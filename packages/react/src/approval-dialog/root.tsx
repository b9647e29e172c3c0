import { type ReactNode, useCallback, useMemo } from 'react'
import { CardRoot, type CardRootProps } from '../card/card.tsx'
import { useSettings } from '../card/use-settings.ts'
import { questionOf } from '../shared/request.ts'
import { useDraft } from '../shared/use-draft.ts'
import { type Approval, ApprovalContext, type ApprovalDraft } from './approval-context.ts'
import { asJson, editedArgs, fieldsForArgs, valuesOfArgs } from './edited-args.ts'

const untouched: ApprovalDraft = {
  scope: 'once',
  reason: '',
  editing: false,
  argsText: null,
  argsValues: null,
  decisions: {},
}

/** The frame of an approval; its parts go inside. Without parts of your own use `<ApprovalDialog>` itself. */
export function ApprovalDialogRoot({ children, ...props }: CardRootProps): ReactNode {
  const { interaction } = props
  const { messages } = useSettings()
  const [draft, change] = useDraft<ApprovalDraft>(interaction, (kept) => ({ ...untouched, ...kept }))
  const request = interaction && questionOf(interaction)
  const resetArgs = useCallback(() => change({ argsText: null, argsValues: null }), [change])
  const approval = useMemo<Approval>(() => {
    const hunks = request?.diff?.flatMap((file) => file.hunks) ?? []
    return {
      draft,
      change: (next) => {
        // The first look at the editor shows what would run: from there the person changes it.
        const opens = next.editing && request && draft.argsText === null && draft.argsValues === null
        const start = !opens
          ? {}
          : fieldsForArgs(request)
            ? { argsValues: valuesOfArgs(request) }
            : { argsText: asJson(request.args) }
        change({ ...start, ...next })
      },
      edited: request ? editedArgs(request, draft, messages) : { state: 'untouched' },
      argsFields: request && fieldsForArgs(request),
      resetArgs,
      hunks: hunks.length,
      accepted: hunks.filter(({ id }) => draft.decisions[id] !== 'reject').length,
    }
  }, [draft, change, request, messages, resetArgs])
  return (
    <ApprovalContext.Provider value={approval}>
      <CardRoot {...props} kind="approval" data-risk={request?.risk}>
        {children}
      </CardRoot>
    </ApprovalContext.Provider>
  )
}
