import { useState } from 'react'
import { useCard } from '../card/elements/card-context.ts'
import { Part, type PartProps } from '../card/elements/part.tsx'
import { scopeText } from '../wording/scope-text.ts'
import { useApproval } from './arguments/approval-context.ts'
import { WordsField } from './words-field.tsx'

/**
 * For how long a yes counts: what the server offers, nothing more. One that we do not know is shown by its name. A native
 * list: beside the button it is the other half of a split button.
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
            // A wider scope is for what was asked, as a whole.
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

/** Whether there is anything to choose. */
export const offersMore = (scopes: readonly string[]) =>
  scopes.length > 1 || (scopes.length === 1 && scopes[0] !== 'once')

const ONCE_ONLY = { edited: 'scopeEdited', partial: 'scopePartial', not_yours: 'scopeNotYours' } as const

/** Once, unless the person chose something else that is offered and that this approval can count for. */
export function scopeToSend(offered: readonly string[], chosen: string, onceOnly: boolean): string {
  if (onceOnly || !offered.includes(chosen)) {
    return offered.includes('once') || onceOnly ? 'once' : (offered[0] ?? 'once')
  }
  return chosen
}

/** Why, for the assistant to read: with a yes as with a no. */
export function ApprovalDialogReason(props: PartProps) {
  const { open, id, messages } = useCard()
  const { draft, change } = useApproval()
  const [startsOpen] = useState(draft.reason !== '')
  if (!open) return null
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
