import type { HoldpointClient, HoldpointClientOptions } from '@holdpoint/core'
import type { Messages } from '@holdpoint/core/messages'
import { type ReactNode, useEffect, useMemo, useState } from 'react'
import { createAnnouncer } from '../announce/announcer.ts'
import { LiveRegion } from '../announce/live-region.tsx'
import { type Clock, systemClock } from '../base/clock.ts'
import { createDevice } from '../base/device.ts'
import { createDrafts, type DraftStorage } from '../base/drafts.ts'
import { createPageTitle } from '../base/page-title.ts'
import type { ClassNames, Slots } from '../base/slots.ts'
import { useLatest } from '../base/use-latest.ts'
import { type HighRiskConfirm, HoldpointContext, type IntegrationInfo, type ToolInfo } from './context.ts'
import { useOwnClient } from './use-own-client.ts'

/** What all cards below share: the session, the texts, and how they look. All of it is optional. */
export interface HoldpointProviderProps {
  /** The session. Without it, components are driven by their props alone. */
  client?: HoldpointClient
  /**
   * In place of `client`: the provider creates the client, one for each `sessionId`, and closes it when it is removed.
   * Other options are read when the session id changes. `useHoldpointClient()` returns it.
   */
  options?: HoldpointClientOptions
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
  /** Names, icons and descriptions of tools, by tool name. */
  tools?: Readonly<Record<string, ToolInfo>>
  /**
   * How approvals with `risk: 'high'` are confirmed, unless the tool says otherwise.
   *
   * @default 'hold'
   */
  confirmHighRisk?: HighRiskConfirm
  /**
   * Called when the user presses "Sign in" on a card whose session the server no longer accepts. Call
   * `client.reconnect()` once the user is signed in.
   */
  onSignIn?: () => unknown
  clock?: Clock
  /**
   * Where what a person has typed is kept until the question is answered, so that it survives a reload: never secrets
   * or files. Null keeps it in memory alone.
   *
   * @default window.sessionStorage
   */
  draftStorage?: DraftStorage | null
  children?: ReactNode
}

/**
 * Gives a part of a page its session, its words and its looks, and the live region through which cards are heard. Where
 * questions are drawn by the application itself, `useAttention` says that they wait.
 *
 * @example
 * <HoldpointProvider options={{ sessionId, transport: sse({ url: '/holdpoint' }) }} messages={german} locale="de">
 *   <Chat />
 * </HoldpointProvider>
 */
export function HoldpointProvider(props: HoldpointProviderProps) {
  const { client: given, options, messages = null, locale: lang, dir, slots, classNames, portalContainer } = props
  const { allowFramed = false, integrations, clock = systemClock, onSignIn, draftStorage, children } = props
  const { tools, confirmHighRisk = 'hold' } = props
  const own = useOwnClient(given ? undefined : options, clock)
  const client = given ?? own
  const locale = lang ?? 'en'
  const announcer = useMemo(() => createAnnouncer(clock), [clock])
  const current = useLatest(client)
  const [drafts] = useState(() =>
    createDrafts({
      storage: draftStorage === undefined ? sessionStorageIfAny() : draftStorage,
      owner: () => current()?.getSnapshot().you?.userId,
    }),
  )
  const [pageTitle] = useState(() => createPageTitle(() => document))
  const device = useMemo(() => createDevice(browserStorage, clock.now), [clock])
  useEffect(() => announcer.dispose, [announcer])
  useEffect(() => {
    if (client) device.remember(client.clientId)
  }, [client, device])
  const settings = useMemo(
    () => ({
      client,
      messages,
      locale,
      lang,
      dir,
      slots: slots ?? {},
      classNames: classNames ?? {},
      portalContainer,
      allowFramed,
      integrations: integrations ?? {},
      tools: tools ?? {},
      confirmHighRisk,
      announcer,
      drafts,
      device,
      pageTitle,
      onSignIn,
      clock,
    }),
    [
      client,
      messages,
      locale,
      lang,
      dir,
      slots,
      classNames,
      portalContainer,
      allowFramed,
      integrations,
      tools,
      confirmHighRisk,
      announcer,
      drafts,
      device,
      pageTitle,
      onSignIn,
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

/** Undefined where a browser forbids storage, and on a server. */
function browserStorage(): Storage | undefined {
  try {
    return globalThis.localStorage
  } catch {
    return undefined
  }
}

/** Browsers refuse the very mention of it where cookies are off; servers have none. */
function sessionStorageIfAny(): DraftStorage | null {
  try {
    return typeof window === 'undefined' ? null : window.sessionStorage
  } catch {
    return null
  }
}
