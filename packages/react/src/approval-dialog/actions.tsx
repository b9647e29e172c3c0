import type { Answer } from '@holdpoint/core'
import { type Messages, say } from '@holdpoint/core/messages'
import type { InteractionRequestEvent } from '@holdpoint/core/protocol'
import { shownDigest } from '@holdpoint/core/wire'
import { useState } from 'react'
import { AnswerButton } from '../card/answer-button.tsx'
import { CardButton } from '../card/button.tsx'
import { useCard } from '../card/card-context.ts'
import { Part, type PartProps } from '../card/part.tsx'
import { useArming } from '../card/use-arming.ts'
import { nameText, visible } from '../wording/escape.ts'
import { Text } from '../wording/text.tsx'
import { type Approval, type ApprovalDraft, useApproval } from './approval-context.ts'
import { changeIds } from './changes.ts'
import { scopeToSend } from './choices.tsx'

/** Yes. Guarded against being pressed by accident; says on itself what it does. */
export function ApprovalDialogApprove(props: PartProps) {
  const { open, request, view, respond, id, messages, announcer } = useCard()
  const approval = useApproval()
  const { armed, framed, permits, ref } = useArming(view.canAnswer)
  /** The question whose press did not count: nobody may think that they answered it. */
  const [missed, setMissed] = useState<string>()
  if (!open || !request) return null
  const nothingLeft = approval.hunks > 0 && approval.accepted === 0
  const ready = view.canAnswer && approval.edited.state !== 'invalid' && !nothingLeft
  const again = ready && missed === request.interactionId ? messages.pressAgain : undefined
  const hint = framed
    ? messages.framed
    : nothingLeft
      ? say(messages.allRejected, { deny: nameText(request.labels?.deny ?? messages.deny) })
      : again
  return (
    <>
      <CardButton
        ref={ref}
        slotName="approve"
        variant={request.risk === 'high' ? 'danger' : 'primary'}
        aria-disabled={!ready || framed || undefined}
        aria-describedby={hint ? id('hint') : undefined}
        data-armed={armed}
        onPress={(event) => {
          if (!ready || framed) return
          const counts = permits(event)
          setMissed(counts ? undefined : request.interactionId)
          if (counts) respond(approvalAnswer(request, approval))
          else announcer?.say(messages.pressAgain)
        }}
        {...props}
      >
        {props.children ?? <bdi>{approveLabel(request, approval, messages)}</bdi>}
      </CardButton>
      {hint ? (
        <Part as="p" slotName="hint" id={id('hint')} data-again={hint === again || undefined}>
          <Text>{hint}</Text>
        </Part>
      ) : null}
    </>
  )
}

/** No. Never delayed. */
export function ApprovalDialogDeny(props: PartProps) {
  const { messages } = useCard()
  const answer: Answer = { action: 'deny', ...reasonOf(useApproval().draft) }
  return (
    <AnswerButton slotName="deny" variant="secondary" label="deny" text={messages.deny} answer={answer} {...props} />
  )
}

/** Everything that the person decided, as it is sent. */
export function approvalAnswer(request: InteractionRequestEvent, { draft, edited, onceOnly }: Approval): Answer {
  const scopes = request.approvalScopes ?? []
  const changes = changeIds(request.diff)
  return {
    action: 'approve',
    // Of what this card drew, which may be older than what the client holds.
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

const reasonOf = ({ reason }: ApprovalDraft) => (reason.trim() ? { reason: reason.trim() } : {})

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
