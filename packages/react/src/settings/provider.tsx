import type { HoldpointClient } from '@holdpoint/core'
import { type ReactNode, useEffect, useMemo, useState } from 'react'
import { createAnnouncer } from './announce/announcer.ts'
import { LiveRegion } from './announce/live-region.tsx'
import { HoldpointContext, type IntegrationInfo } from './context.ts'
import type { Messages } from './messages/messages.ts'
import { type Clock, systemClock } from './shared/clock.ts'
import { createDrafts } from './shared/drafts.ts'
import type { ClassNames, Slots } from './shared/slots.ts'

/** What all cards below share: the session, the texts, and how they look. All of it is optional. */
export interface HoldpointProviderProps {
  /** The session. Without it, components are driven by their props alone. */
  client?: HoldpointClient
  /** All texts; English when omitted. German and Arabic: `@holdpoint/react/locales/de`, `/ar`. */
  messages?: Messages
  /** For numbers, times and plurals: a language tag that goes with `messages`. */
  locale?: string
  /** Written on every card; when omitted, cards follow the page. */
  dir?: 'ltr' | 'rtl'
  /** Controls of the application's own, used in place of ours. */
  slots?: Partial<Slots>
  /** Classes by part, added to ours. */
  classNames?: ClassNames
  /** Where larger views are put; the page's body when omitted. */
  portalContainer?: HTMLElement | null
  /** Allow approving while the page is shown inside another one. Off: a framed click may be a stolen click. */
  allowFramed?: boolean
  /** Names and icons of accounts, by integration. */
  integrations?: Readonly<Record<string, IntegrationInfo>>
  clock?: Clock
  children?: ReactNode
}

/**
 * Gives a part of a page its session, its words and its looks, and the live region through which cards are heard. Where
 * questions are drawn by the application itself, `useAttention` says that they wait.
 *
 * @example
 * <HoldpointProvider client={client} messages={german} locale="de">
 *   <Chat />
 * </HoldpointProvider>
 */
export function HoldpointProvider(props: HoldpointProviderProps) {
  const { client = null, messages = null, locale = 'en', dir, slots, classNames, portalContainer } = props
  const { allowFramed = false, integrations, clock = systemClock, children } = props
  const announcer = useMemo(() => createAnnouncer(clock), [clock])
  const [drafts] = useState(createDrafts)
  useEffect(() => announcer.dispose, [announcer])
  const settings = useMemo(
    () => ({
      client,
      messages,
      locale,
      dir,
      slots: slots ?? {},
      classNames: classNames ?? {},
      portalContainer,
      allowFramed,
      integrations: integrations ?? {},
      announcer,
      drafts,
      clock,
    }),
    [
      client,
      messages,
      locale,
      dir,
      slots,
      classNames,
      portalContainer,
      allowFramed,
      integrations,
      announcer,
      drafts,
      clock,
    ],
  )
  return (
    <HoldpointContext.Provider value={settings}>
      {children}
      <LiveRegion announcer={announcer} />
    </HoldpointContext.Provider>
  )
}
