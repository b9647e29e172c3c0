import type { ReactNode } from 'react'
import type { Clock } from '../base/clock.ts'
import type { ToolInfo } from '../settings/context.ts'
import { HoldpointProvider, type HoldpointProviderProps } from '../settings/provider.tsx'
import { NOW } from './interactions.ts'
import { renderers } from './previewed.ts'

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

/** The tools as the application of the stories describes them. */
export const tools: Readonly<Record<string, ToolInfo>> = {
  send_email: { name: 'Send e-mail', description: 'Sends one message to each recipient from your mailbox.' },
  mail_customer: { name: 'Send e-mail' },
  delete_table: {
    name: 'Delete table',
    confirm: 'type',
    confirmName: (args) => String((args as { table?: unknown }).table ?? ''),
  },
}

/** A provider as stories and tests want it: framed, with known accounts. */
export function StoryFrame({ children, ...props }: HoldpointProviderProps & { children: ReactNode }) {
  return (
    <HoldpointProvider
      clock={storyClock}
      draftStorage={null}
      allowFramed
      onSignIn={() => {}}
      integrations={integrations}
      tools={tools}
      renderers={renderers}
      {...props}
    >
      {children}
    </HoldpointProvider>
  )
}
