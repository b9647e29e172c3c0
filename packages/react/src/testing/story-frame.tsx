import type { ReactNode } from 'react'
import type { Clock } from '../base/clock.ts'
import { HoldpointProvider, type HoldpointProviderProps } from '../settings/provider.tsx'
import { NOW } from './interactions.ts'

/** Time that begins at the same instant for every page, so that a picture of a card is always the same. */
export const storyClock: Clock = {
  now: () => NOW + performance.now(),
  setTimeout: (callback, ms) => setTimeout(callback, ms),
  clearTimeout: (handle) => clearTimeout(handle as ReturnType<typeof setTimeout>),
}

export const integrations = {
  slack: { name: 'Slack', host: 'slack.com' },
  gmail: { name: 'Gmail', host: 'accounts.google.com' },
  'google-calendar': { name: 'Google Calendar', host: 'accounts.google.com' },
}

/** A provider as stories and tests want it: framed, with known accounts. */
export function StoryFrame({ children, ...props }: HoldpointProviderProps & { children: ReactNode }) {
  return (
    <HoldpointProvider clock={storyClock} draftStorage={null} allowFramed integrations={integrations} {...props}>
      {children}
    </HoldpointProvider>
  )
}
