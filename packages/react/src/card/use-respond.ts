import type { Answer, Interaction, RespondResult } from '@holdpoint/core'
import { useCallback, useRef } from 'react'
import { useSettings } from '../context.ts'
import type { CardProps } from './card-context.ts'

/**
 * Answers once. The latch closes within the first click, before React or the network know of it, and opens again only
 * when the answer is known not to have counted.
 */
export function useRespond(
  interaction: Interaction | undefined,
  onRespond: CardProps['onRespond'],
): (answer: Answer) => void {
  const { client } = useSettings()
  const latched = useRef<string | null>(null)
  return useCallback(
    (answer) => {
      const id = interaction?.interactionId
      if (id === undefined || latched.current === id) return
      latched.current = id
      const open = () => {
        if (latched.current === id) latched.current = null
      }
      const opens = (result: RespondResult | undefined) => {
        if (result?.status !== 'accepted') open()
      }
      try {
        const sending = onRespond ? onRespond(answer) : client?.respond(id, answer)
        void Promise.resolve(sending).then(opens, open)
      } catch (error) {
        open()
        throw error
      }
    },
    [interaction?.interactionId, client, onRespond],
  )
}
