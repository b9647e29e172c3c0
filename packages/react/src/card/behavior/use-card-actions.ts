import { HoldpointError } from '@holdpoint/core'
import { useCallback, useRef, useState } from 'react'
import type { CardAction } from '../../wording/answer-text.ts'

export interface CardActions {
  /** The action that is being sent or could not be sent. */
  readonly current: CardAction | null
  /** Sends one action at a time. `send` resolves with false when the server refuses. */
  act: (name: CardAction['name'], send: () => unknown) => void
  /** Sends the action again that could not be sent. */
  again: () => void
  /** Discards the action that could not be sent. */
  drop: () => void
}

/** The actions of a card: each is sending, then done, refused, or not sent and kept. */
export function useCardActions(interactionId: string | undefined): CardActions {
  const [current, setCurrent] = useState<(CardAction & { id: string | undefined }) | null>(null)
  const last = useRef<{ name: CardAction['name']; send: () => unknown } | null>(null)
  const busy = useRef(false)
  const act = useCallback(
    (name: CardAction['name'], send: () => unknown) => {
      if (busy.current) return
      busy.current = true
      last.current = { name, send }
      const settle = (status: CardAction['status'] | undefined) => {
        busy.current = false
        setCurrent(status ? { name, status, id: interactionId } : null)
      }
      setCurrent({ name, status: 'sending', id: interactionId })
      void attempt(send).then(
        (done) => settle(done === false ? 'refused' : undefined),
        (error) => settle(wasRefused(error) ? 'refused' : 'not-sent'),
      )
    },
    [interactionId],
  )
  const again = useCallback(() => last.current && act(last.current.name, last.current.send), [act])
  const drop = useCallback(() => setCurrent(null), [])
  return { current: current?.id === interactionId ? current : null, act, again, drop }
}

const attempt = async (send: () => unknown) => await send()

/** The server has answered, and a repetition would get the same answer. */
function wasRefused(error: unknown): boolean {
  const status = error instanceof HoldpointError ? Number(error.details?.status) : Number.NaN
  return status >= 400 && status < 500 && status !== 429
}
