import type { Answer } from '@holdpoint/core'
import { type InteractionRequestEvent, say } from '@holdpoint/core/internal'
import type { Messages } from '@holdpoint/core/messages'

import { shownDigest } from '@holdpoint/core/wire'
import { useState } from 'react'
import { changeIds } from '../base/changes.ts'
import { useArming } from '../card/behavior/use-arming.ts'
import { AnswerButton } from '../card/elements/answer-button.tsx'
import { CardButton } from '../card/elements/button.tsx'
import { useCard } from '../card/elements/card-context.ts'
import { Part, type PartProps } from '../card/elements/part.tsx'
import { nameText, visible } from '../wording/escape.ts'
import { scopeText } from '../wording/scope-text.ts'
import { Text } from '../wording/text.tsx'
import { type Approval, type ApprovalDraft, useApproval } from './arguments/approval-context.ts'
import { offersMore, scopeToSend } from './choices.tsx'
import { useHold } from './confirm/use-hold.ts'

/** The button that approves. It is guarded against accidental presses, and its label names the effect. */
export function ApprovalDialogApprove(props: PartProps) {
  const { open, request } = useCard()
  return open && request ? <Approve request={request} {...props} /> : null
}

function Approve({ request, ...props }: PartProps & { request: InteractionRequestEvent }) {
  const { view, respond, id, messages, announcer, tool } = useCard()
  const approval = useApproval()
  const { armed, framed, permits, ref } = useArming(view.canAnswer)
  /** The question of a press that was ignored. The card reports this, so that the user does not assume an answer. */
  const [missed, setMissed] = useState<{ id: string; text: string }>()
  const { confirm } = approval
  const nothingLeft = approval.hunks > 0 && approval.accepted === 0
  const canPress = view.canAnswer && approval.edited.state !== 'invalid' && !nothingLeft
  const ready = canPress && (confirm.how !== 'type' || confirm.isNamed)
  const answer = () => {
    setMissed(undefined)
    respond(approvalAnswer(request, approval))
  }
  const hold = useHold({
    on: confirm.how === 'hold',
    ready: ready && !framed,
    subject: request,
    onHeld: answer,
    onShort(again) {
      const text = again ? messages.pressTwice : messages.holdLonger
      setMissed({ id: request.interactionId, text })
      announcer?.announce(text)
    },
  })
  const again = ready && missed?.id === request.interactionId ? missed.text : undefined
  const hint = framed
    ? messages.framed
    : nothingLeft
      ? say(messages.allRejected, { deny: nameText(request.labels?.deny ?? messages.deny) })
      : again
  const scope = scopeNote(request, approval, tool.name, messages)
  const describedBy = [hint && 'hint', scope && 'scope-note', confirm.how === 'hold' && 'hold-note']
    .filter((part) => part !== false && part !== undefined && part !== '')
    .map((part) => id(String(part)))
  const isGrave = request.risk === 'high' && request.facts?.some(({ tone }) => tone === 'danger')
  return (
    <>
      <CardButton
        ref={ref}
        slotName="approve"
        variant={isGrave ? 'danger' : 'primary'}
        aria-disabled={!ready || framed || undefined}
        aria-describedby={describedBy.join(' ') || undefined}
        data-armed={armed}
        data-confirm={confirm.how}
        data-holding={hold.holding || undefined}
        onPress={(event) => {
          if (!ready || framed || hold.press(event)) return
          if (permits(event)) return answer()
          setMissed({ id: request.interactionId, text: messages.pressAgain })
          announcer?.announce(messages.pressAgain)
        }}
        {...hold.props}
        {...props}
      >
        {props.children ?? (
          <>
            <bdi>{approveLabel(request, approval, messages)}</bdi>
            {scope ? (
              <span className="hp-approve-note" id={id('scope-note')} aria-hidden="true">
                {scope}
              </span>
            ) : null}
            {confirm.how === 'hold' ? (
              <span className="hp-approve-note" id={id('hold-note')} aria-hidden="true">
                {messages.holdToConfirm}
              </span>
            ) : null}
          </>
        )}
      </CardButton>
      {hint ? (
        <Part as="p" slotName="hint" id={id('hint')} data-again={hint === again || undefined}>
          <Text>{hint}</Text>
        </Part>
      ) : null}
    </>
  )
}

/**
 * Returns the extent of an approval on the button if there is a choice, so that it is visible where the user clicks.
 */
function scopeNote(
  request: InteractionRequestEvent,
  { draft, onceOnly }: Approval,
  toolName: string,
  messages: Messages,
): string {
  const scopes = request.approvalScopes ?? []
  if (!offersMore(scopes)) return ''
  return scopeText(scopeToSend(scopes, draft.scope, onceOnly !== undefined), request, toolName, messages)
}

/** No. Never delayed. */
export function ApprovalDialogDeny(props: PartProps) {
  const { messages } = useCard()
  const { instead, reason } = useApproval().draft
  // A text about what to do instead goes with each denial, not only with the button below its field.
  const answer: Answer = { action: 'deny', ...reasonOf({ reason: instead.trim() ? instead : reason }) }
  return (
    <AnswerButton slotName="deny" variant="secondary" label="deny" text={messages.deny} answer={answer} {...props} />
  )
}

/** Returns the person's decisions as an answer. */
export function approvalAnswer(request: InteractionRequestEvent, { draft, edited, onceOnly }: Approval): Answer {
  const scopes = request.approvalScopes ?? []
  const changes = changeIds(request.diff)
  return {
    action: 'approve',
    // The digest of the rendered question, which may be older than the one in the client.
    shownDigest: shownDigest(request),
    ...(scopes.length
      ? { approvalScope: scopeToSend(scopes, draft.scope, onceOnly !== undefined) as Answer['approvalScope'] & string }
      : {}),
    ...(edited.state === 'edited' ? { args: edited.args } : {}),
    ...(changes.length
      ? { diffDecisions: Object.fromEntries(changes.map((id) => [id, draft.decisions[id] ?? 'accept'])) }
      : {}),
    ...reasonOf(draft),
  }
}

const reasonOf = ({ reason }: Pick<ApprovalDraft, 'reason'>) => (reason.trim() ? { reason: reason.trim() } : {})

function approveLabel(
  request: InteractionRequestEvent,
  { edited, accepted, hunks }: Approval,
  messages: Messages,
): string {
  const label = visible(request.labels?.approve ?? messages.approve)
  if (edited.state === 'edited') return say(messages.approveWithChanges, { label })
  if (accepted < hunks && accepted > 0) return say(messages.approveSome, { label, accepted, total: hunks })
  return label
}
