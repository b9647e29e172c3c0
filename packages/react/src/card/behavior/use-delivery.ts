import type { Answer } from '@holdpoint/core'
import { say } from '@holdpoint/core/internal'
import type { Messages } from '@holdpoint/core/messages'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import type { Announcer } from '../../announce/announcer.ts'
import { useResend } from '../../settings/use-resend.ts'
import { useSettings } from '../../settings/use-settings.ts'
import { actionText, answerText, type CardAction } from '../../wording/answer-text.ts'
import type { CardProps } from '../elements/card-context.ts'
import { type Answering, useAnswering } from './use-answering.ts'
import { useCardActions } from './use-card-actions.ts'

export interface Delivery extends Omit<Answering, 'change'> {
  /** The answer that is being sent or could not be sent. */
  answer: Answer | undefined
  action: CardAction | null
  isSending: boolean
  /** How often the user has pressed "Send again". */
  retries: number
  /** True if the other buttons are disabled, because an answer or a stop is being sent or could not be sent. */
  holds: boolean
  retry: () => void
  change: () => void
  extend: () => void
  cancelRun: () => void
}

/** Everything that a card sends: sending, not sent and kept, sent again by itself when the connection is back. */
export function useDelivery(
  given: CardProps['interaction'],
  handlers: Pick<CardProps, 'onRespond' | 'onRetry' | 'onExtend' | 'onCancelRun'>,
): Delivery {
  const { onExtend, onCancelRun } = handlers
  const { client, announcer, messages } = useSettings()
  const answering = useAnswering(given, handlers)
  const { interaction, unsent, respond, retry, change } = answering
  const { current: action, act, again, drop } = useCardActions(given?.interactionId)
  const [retries, setRetries] = useState(0)
  const unsentAction = action?.status === 'not-sent' ? action : undefined
  const resend = (send: () => void, text: string | undefined) => () => {
    announcer?.announce(say(messages.sendingAgain, { answer: text ?? '' }))
    send()
  }
  const isTracked = given?.status === 'not_sent' || given?.status === 'submitting'
  const unsentText = unsent && interaction && answerText(interaction, unsent, messages)
  useResend(isTracked ? undefined : unsent, resend(retry, unsentText))
  const pressed = useSaidAgain(given, messages, announcer)
  useResend(unsentAction, resend(again, unsentAction && actionText(unsentAction, messages)))
  return useMemo(() => {
    const { interactionId = '', runId } = given ?? {}
    const answer = interaction?.status === 'submitting' ? interaction.draft?.answer : unsent
    return {
      interaction,
      unsent,
      respond,
      answer,
      action,
      isSending: interaction?.status === 'submitting' || action?.status === 'sending',
      holds: unsent !== undefined || (action?.name === 'stop' && action.status !== 'refused'),
      retries,
      retry() {
        setRetries((before) => before + 1)
        pressed()
        if (unsentAction) again()
        else retry()
      },
      change: unsentAction ? drop : change,
      extend: () =>
        act('extend', async () => {
          if (onExtend) return await onExtend()
          const result = await client?.extend(interactionId)
          if (result?.status === 'failed') throw new Error('The extension was not sent')
          return result?.status !== 'not_extendable'
        }),
      cancelRun: () =>
        act('stop', async () => {
          if (onCancelRun) await onCancelRun()
          else if (runId !== undefined) await client?.cancelRun(runId)
        }),
    }
  }, [
    given,
    interaction,
    unsent,
    respond,
    retry,
    change,
    action,
    unsentAction,
    retries,
    pressed,
    act,
    again,
    drop,
    client,
    onExtend,
    onCancelRun,
  ])
}

/** Announces that the client sends a kept answer again. Returns what to call when the user does it themselves. */
function useSaidAgain(
  interaction: CardProps['interaction'],
  messages: Messages,
  announcer: Announcer | null,
): () => void {
  const before = useRef<{ status?: string; byHand?: boolean }>({})
  const status = interaction?.status
  const answer = interaction?.draft?.answer
  useEffect(() => {
    const { status: was, byHand } = before.current
    before.current = { ...(status && { status }) }
    if (was !== 'not_sent' || status !== 'submitting' || byHand || !interaction || !answer) return
    announcer?.announce(say(messages.sendingAgain, { answer: answerText(interaction, answer, messages) }))
  }, [status, interaction, answer, messages, announcer])
  return useCallback(() => {
    before.current.byHand = true
  }, [])
}
