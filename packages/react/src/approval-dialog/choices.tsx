import { useState } from 'react'
import { useCard } from '../card/card-context.ts'
import { Part, type PartProps } from '../card/part.tsx'
import type { Messages } from '../messages/messages.ts'
import { visible } from '../shared/escape.ts'
import { useApproval } from './approval-context.ts'

/** For how long a yes counts: what the server offers, nothing more. One that we do not know is shown by its name. */
export function ApprovalDialogScopes(props: PartProps) {
  const { request, over, view, id, messages } = useCard()
  const { draft, change, edited } = useApproval()
  const scopes = request?.approvalScopes ?? []
  if (over || scopes.length === 0 || (scopes.length === 1 && scopes[0] === 'once')) return null
  const chosen = scopeToSend(scopes, draft.scope, edited.state !== 'untouched')
  return (
    <Part asChild slotName="scopes" {...props}>
      <fieldset>
        <legend>{messages.scopeLegend}</legend>
        {scopes.map((scope) => (
          <label key={scope} className="hp-choice" data-slot="scope" data-checked={scope === chosen || undefined}>
            <input
              type="radio"
              name={id('scope')}
              value={scope}
              checked={scope === chosen}
              // What was edited was not what the scope is for.
              disabled={!view.canAnswer || (edited.state !== 'untouched' && scope !== 'once')}
              onChange={() => change({ scope })}
            />
            <span>{scopeText(scope, messages)}</span>
          </label>
        ))}
      </fieldset>
    </Part>
  )
}

/** Once, unless the person chose something else that is offered; always once when the arguments were edited. */
export function scopeToSend(offered: readonly string[], chosen: string, edited: boolean): string {
  if (edited || !offered.includes(chosen)) return offered.includes('once') || edited ? 'once' : (offered[0] ?? 'once')
  return chosen
}

function scopeText(scope: string, messages: Messages): string {
  if (scope === 'once') return messages.scopeOnce
  if (scope === 'session') return messages.scopeSession
  return scope === 'always' ? messages.scopeAlways : visible(scope)
}

/** Why, for the assistant to read: with a yes as with a no. Enter makes a new line; it never answers. */
export function ApprovalDialogReason(props: PartProps) {
  const { open, view, id, messages } = useCard()
  const { draft, change } = useApproval()
  const [startsOpen] = useState(draft.reason !== '')
  if (!open) return null
  return (
    <Part asChild slotName="reason" {...props}>
      <details open={startsOpen}>
        <summary className="hp-button hp-quiet" data-variant="quiet">
          {messages.addReason}
        </summary>
        <textarea
          className="hp-input"
          data-slot="reason-input"
          id={id('reason')}
          rows={2}
          maxLength={4_000}
          dir="auto"
          aria-label={messages.reason}
          placeholder={messages.reason}
          value={draft.reason}
          readOnly={!view.canAnswer}
          onChange={(event) => change({ reason: event.target.value })}
        />
      </details>
    </Part>
  )
}
