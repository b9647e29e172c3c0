import type { Messages } from '@holdpoint/core/messages'
import { english } from '@holdpoint/core/messages'
import { useMemo } from 'react'
import { type HoldpointSettings, useSettings as useGiven } from './context.ts'

/** Returns the provider's settings with messages, which are English by default. */
export function useSettings(): HoldpointSettings & { messages: Messages } {
  const settings = useGiven()
  const { messages } = settings
  return useMemo(() => ({ ...settings, messages: messages ?? english }), [settings, messages])
}
