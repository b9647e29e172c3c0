import { type Messages, say } from '@holdpoint/core/messages'
import type { InteractionRequestEvent } from '@holdpoint/core/protocol'
import { useState } from 'react'
import { useCard } from '../card/card-context.ts'
import { Part, type PartProps } from '../card/part.tsx'
import { visible } from '../wording/escape.ts'
import { useApproval } from './approval-context.ts'

/** For how long a yes counts: what the server offers, nothing more. One that we do not know is shown by its name. */
export function ApprovalDialogScopes(props: PartProps) {
  const { request, over, view, id, messages } = useCard()
  const { draft, change, onceOnly } = useApproval()
  const scopes = request?.approvalScopes ?? []
  if (!request || over || scopes.length === 0 || (scopes.length === 1 && scopes[0] === 'once')) return null
  const chosen = scopeToSend(scopes, draft.scope, onceOnly !== undefined)
  const reason = onceOnly && messages[ONCE_ONLY[onceOnly]]
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
              // A wider scope is for what was asked, as a whole.
              disabled={!view.canAnswer || (onceOnly !== undefined && scope !== 'once')}
              aria-describedby={reason && scope !== 'once' ? id('once-only') : undefined}
              onChange={() => change({ scope })}
            />
            <span>{scopeText(scope, request, messages)}</span>
          </label>
        ))}
        {reason ? (
          <p className="hp-note" data-slot="once-only" id={id('once-only')}>
            {reason}
          </p>
        ) : null}
      </fieldset>
    </Part>
  )
}

const ONCE_ONLY = { edited: 'scopeEdited', partial: 'scopePartial', not_yours: 'scopeNotYours' } as const

/** Once, unless the person chose something else that is offered and that this approval can count for. */
export function scopeToSend(offered: readonly string[], chosen: string, onceOnly: boolean): string {
  if (onceOnly || !offered.includes(chosen)) {
    return offered.includes('once') || onceOnly ? 'once' : (offered[0] ?? 'once')
  }
  return chosen
}

/** For how long, and for what: in the host's words, else in words for what the server compares later requests by. */
function scopeText(scope: string, request: InteractionRequestEvent, messages: Messages): string {
  if (scope === 'once') return messages.scopeOnce
  if (scope !== 'session' && scope !== 'always') return visible(scope)
  const { approvalCovers, approvalLabel, labels, toolName } = request
  if (approvalLabel) return say(messages.scopeFor, { scope, what: visible(approvalLabel) })
  if (approvalCovers === 'tool') return say(messages.scopeForTool, { scope, tool: visible(labels?.title ?? toolName) })
  const [session, always] = approvalCovers
    ? [messages.scopeSession, messages.scopeAlways]
    : [messages.scopeSessionPlain, messages.scopeAlwaysPlain]
  return scope === 'session' ? session : always
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
