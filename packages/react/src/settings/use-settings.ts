import { useMemo } from 'react'
import { english } from '../messages/en.ts'
import type { Messages } from '../messages/messages.ts'
import { type HoldpointSettings, useSettings as useGiven } from './context.ts'

/** The provider's settings as components want them: with words, English ones if no others were given. */
export function useSettings(): HoldpointSettings & { messages: Messages } {
  const settings = useGiven()
  const { messages } = settings
  return useMemo(() => ({ ...settings, messages: messages ?? english }), [settings, messages])
}
