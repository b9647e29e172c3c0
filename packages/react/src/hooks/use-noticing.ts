import type { Interaction } from '@holdpoint/core'
import type { SpokenMessages } from '@holdpoint/core/internal'
import { fewEnglish, say } from '@holdpoint/core/internal/words'
import { useMemo } from 'react'
import { onDemand, useOnDemand } from '../base/on-demand.ts'
import { useSettings } from '../settings/context.ts'

const noticing = /* @__PURE__ */ onDemand(() => import('../announce/noticing.ts'))

/**
 * Returns the code and the texts for questions outside of cards. They are loaded after the first render. If they cannot be
 * loaded, questions are counted and not named.
 */
export function useNoticing() {
  const { messages: given, tools, integrations } = useSettings()
  const { part, failed } = useOnDemand(noticing)
  return useMemo(() => {
    const counted = given ?? fewEnglish
    const messages: SpokenMessages | undefined = given ?? part?.spokenEnglish
    const gist = (one: Interaction) => part && messages && part.gistOf(one, messages, { tools, integrations })
    /** Returns "A question is waiting: Delete 3 files?", or only the number of questions. */
    const waiting = (pending: readonly Interaction[]) => {
      const [first] = pending
      const only = first && pending.length === 1 ? gist(first) : undefined
      if (only && messages) return say(messages.announceOne, { text: only })
      return first ? say(counted.announceSeveral, { count: pending.length }) : ''
    }
    /** Whether it is known if questions can be named. Text that counts them before would be announced before their name. */
    const isKnown = Boolean(part || failed)
    return { part, failed, counted, messages, gist, waiting, isKnown }
  }, [part, failed, given, tools, integrations])
}
