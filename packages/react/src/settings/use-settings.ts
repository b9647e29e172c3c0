import type { Messages } from '@holdpoint/core/messages'
import { english } from '@holdpoint/core/messages'
import { useMemo } from 'react'
import { type HoldpointSettings, useSettings as useGiven } from './context.ts'

/** The provider's settings as components want them: with words, English ones if no others were given. */
export function useSettings(): HoldpointSettings & { messages: Messages } {
  const settings = useGiven()
  const { messages } = settings
  return useMemo(() => ({ ...settings, messages: messages ?? english }), [settings, messages])
}
