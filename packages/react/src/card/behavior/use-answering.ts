import type { Answer, Interaction, RespondResult } from '@holdpoint/core'
import { useCallback, useMemo, useRef, useState } from 'react'
import { useSettings } from '../../settings/context.ts'
import type { CardProps } from '../elements/card-context.ts'

/** An answer that the application sends itself, by `onRespond`: no session tracks it. */
interface OwnSending {
  id: string
  answer: Answer
  status: 'submitting' | 'not_sent'
  /** The problem that was shown when the user answered, to recognize a new one. */
  before: Interaction['problem']
}

export interface Answering {
  /** The question, with the state of this card's own answer. */
  interaction: Interaction | undefined
  /** The answer that could not be sent and that the user has not put aside. */
  unsent: Answer | undefined
  respond: (answer: Answer) => void
  retry: () => void
  /** Puts the unsent answer aside, so that the user can answer otherwise. */
  change: () => void
}

/**
 * Sends one answer at a time. The latch closes within the first click, before React or the network know of it, and
 * opens again only when the answer is known not to have counted.
 */
export function useAnswering(
  given: Interaction | undefined,
  { onRespond, onRetry }: Pick<CardProps, 'onRespond' | 'onRetry'>,
): Answering {
  const { client } = useSettings()
  const latched = useRef<string | null>(null)
  const [own, setOwn] = useState<OwnSending | null>(null)
  const [aside, setAside] = useState<Answer | null>(null)
  const id = given?.interactionId
  const before = given?.problem

  const respond = useCallback(
    (answer: Answer) => {
      if (id === undefined || latched.current === id) return
      latched.current = id
      setAside(null)
      setOwn({ id, answer, status: 'submitting', before })
      const settle = (status: RespondResult['status'] | undefined) => {
        if (status === 'accepted') return
        if (latched.current === id) latched.current = null
        setOwn(status === 'not_sent' ? { id, answer, status, before } : null)
      }
      try {
        const sending = onRespond ? onRespond(answer) : client?.respond(id, answer)
        void Promise.resolve(sending).then(
          (result) => settle(result?.status),
          () => settle('not_sent'),
        )
      } catch (error) {
        settle('not_sent')
        throw error
      }
    },
    [id, before, client, onRespond],
  )
  const current = useMemo(() => withOwn(given, own), [given, own])
  const draft = current?.status === 'not_sent' ? current.draft?.answer : undefined
  const isAside = draft !== undefined && draft === aside
  const interaction = useMemo(
    () => (isAside && current ? { ...current, status: 'pending' as const, problem: undefined } : current),
    [current, isAside],
  )
  const tracked = given?.status === 'not_sent'
  return {
    interaction,
    unsent: isAside ? undefined : draft,
    respond,
    retry: useCallback(() => {
      if (onRetry) onRetry()
      else if (!tracked && draft) respond(draft)
      else if (id !== undefined) {
        setOwn(null)
        void client?.retry(id)
      }
    }, [onRetry, tracked, draft, respond, client, id]),
    change: useCallback(() => {
      setAside(draft ?? null)
      // The session must not send by itself what the user has put aside.
      if (id !== undefined) client?.discard(id)
    }, [draft, client, id]),
  }
}

/**
 * The session's state takes precedence over the card's, because the session knows the outcome of answers that it
 * tracks.
 */
function withOwn(given: Interaction | undefined, own: OwnSending | null): Interaction | undefined {
  if (!given || !own || own.id !== given.interactionId || given.status !== 'pending') return given
  if (given.problem && given.problem !== own.before) return given
  return { ...given, status: own.status, problem: undefined, draft: { answerId: '', answer: own.answer } }
}
