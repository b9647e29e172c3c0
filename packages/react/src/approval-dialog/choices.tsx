import { useState } from 'react'
import { useCard } from '../card/elements/card-context.ts'
import { Part, type PartProps } from '../card/elements/part.tsx'
import type { CardView } from '../card/elements/use-view.ts'
import { scopeText } from '../wording/scope-text.ts'
import { useApproval } from './arguments/approval-context.ts'
import { WordsField } from './words-field.tsx'

/**
 * The scope of an approval: the choices that the server offers. An unknown scope is shown by its name. It is a native
 * list, next to the button that approves.
 */
export function ApprovalDialogScopes(props: PartProps) {
  const { request, over, view, id, messages, tool } = useCard()
  const { draft, change, onceOnly } = useApproval()
  const scopes = request?.approvalScopes ?? []
  if (!request || over || !offersMore(scopes)) return null
  const reason = onceOnly && messages[ONCE_ONLY[onceOnly]]
  return (
    <>
      <Part slotName="scopes" {...props}>
        <select
          aria-label={messages.scopeLegend}
          aria-describedby={reason ? id('once-only') : undefined}
          value={scopeToSend(scopes, draft.scope, onceOnly !== undefined)}
          disabled={!view.canAnswer}
          onChange={(event) => change({ scope: event.target.value })}
        >
          {scopes.map((scope) => (
            // A wider scope covers only the whole, unchanged request.
            <option key={scope} value={scope} disabled={onceOnly !== undefined && scope !== 'once'}>
              {scopeText(scope, request, tool.name, messages)}
            </option>
          ))}
        </select>
      </Part>
      {reason ? (
        <p className="hp-note" data-slot="once-only" id={id('once-only')}>
          {reason}
        </p>
      ) : null}
    </>
  )
}

/** Returns whether there is more than one scope. */
export const offersMore = (scopes: readonly string[]) =>
  scopes.length > 1 || (scopes.length === 1 && scopes[0] !== 'once')

const ONCE_ONLY = { edited: 'scopeEdited', partial: 'scopePartial', not_yours: 'scopeNotYours' } as const

/** Returns the chosen scope if it is offered and this approval can have it, else once. */
export function scopeToSend(offered: readonly string[], chosen: string, onceOnly: boolean): string {
  if (onceOnly || !offered.includes(chosen)) {
    return offered.includes('once') || onceOnly ? 'once' : (offered[0] ?? 'once')
  }
  return chosen
}

/** Returns whether this person answers nothing here, so that words for an answer would be in vain. */
export const isClosed = ({ state }: CardView) => state === 'read-only' || state === 'may-not-answer'

/** The reason for the assistant, of an approval or a denial. */
export function ApprovalDialogReason(props: PartProps) {
  const { open, id, messages, view } = useCard()
  const { draft, change } = useApproval()
  const [startsOpen] = useState(draft.reason !== '')
  if (!open || (isClosed(view) && draft.reason === '')) return null
  return (
    <Part asChild slotName="reason" {...props}>
      <details open={startsOpen}>
        <summary className="hp-button hp-quiet" data-variant="quiet">
          {messages.addReason}
        </summary>
        <WordsField
          data-slot="reason-input"
          id={id('reason')}
          aria-label={messages.reason}
          placeholder={messages.reason}
          value={draft.reason}
          onWords={(reason) => change({ reason })}
        />
      </details>
    </Part>
  )
}
