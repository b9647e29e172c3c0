import type { HoldpointClient } from '@holdpoint/core'
import type { HoldpointClientOptions } from '@holdpoint/core/internal'
import type { Messages } from '@holdpoint/core/messages'
import { type ReactNode, useCallback, useContext, useEffect, useMemo, useState } from 'react'
import { createAnnouncer } from '../announce/announcer.ts'
import { LiveRegion } from '../announce/live-region.tsx'
import { type Clock, systemClock } from '../base/clock.ts'
import { createDevice } from '../base/device.ts'
import type { DraftStorage, Drafts, DraftsOptions } from '../base/drafts.ts'
import type { ClassNames, Slots } from '../base/slots.ts'
import { useLatest } from '../base/use-latest.ts'

import {
  type HighRiskConfirm,
  HoldpointContext,
  type IntegrationInfo,
  type ToolInfo,
  type ToolPreview,
} from './context.ts'
import { useOwnClient } from './use-own-client.ts'
import { usePartsWhenIdle } from './use-parts-when-idle.ts'
import { useSame } from './use-same.ts'

/** The settings of all cards below: the session, the texts and the appearance. All are optional. */
export interface HoldpointProviderProps {
  /** The session. Without it, components are driven by their props alone. */
  client?: HoldpointClient
  /**
   * In place of `client`: the provider creates the client, one for each `sessionId`, and closes it when it is removed.
   * Other options are read when the session id changes. `useHoldpointClient()` returns it.
   */
  options?: HoldpointClientOptions
  /**
   * All texts. Other languages are in `@holdpoint/react/locales/…`.
   *
   * @default English
   */
  messages?: Messages
  /**
   * The language tag of `messages`, for numbers, times and plurals.
   *
   * @default 'en'
   */
  locale?: string
  /**
   * The direction of every card.
   *
   * @default the direction of the page
   */
  dir?: 'ltr' | 'rtl'
  /** Controls of the application's own, used in place of ours. */
  slots?: Partial<Slots>
  /** Classes by part, added to ours. */
  classNames?: ClassNames
  /**
   * The element that contains larger views.
   *
   * @default the page's body
   */
  portalContainer?: HTMLElement | null
  /**
   * Allows approvals while the page is shown inside another one, where a click may be stolen.
   *
   * @default false
   */
  allowFramed?: boolean
  /** Names and icons of accounts, by integration. */
  integrations?: Readonly<Record<string, IntegrationInfo>>
  /** Names, icons and descriptions of tools, by tool name. */
  tools?: Readonly<Record<string, ToolInfo>>
  /**
   * Previews of arguments, by tool name: those of `@holdpoint/react/previews`, or your own. Only the application chooses
   * them; an agent cannot.
   */
  renderers?: Readonly<Record<string, ToolPreview>>
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
  /**
   * Opens your settings for the remembered approvals of a tool. With it, a card that a remembered approval of the reader
   * has answered shows "Change your rule".
   */
  onChangeApprovals?: (toolName: string) => unknown
  clock?: Clock
  /**
   * Keeps the typed input until the question is answered, so that it survives a reload. Secrets and files are never
   * stored. Null keeps the input in memory only.
   *
   * @default window.sessionStorage
   */
  draftStorage?: DraftStorage | null
  children?: ReactNode
}

/**
 * Provides the session, the texts and the appearance to a part of a page, and the live region for announcements, which
 * providers inside of it share: put one without a client around several, so that they announce together. If the
 * application draws questions itself, `useAttention` announces them.
 *
 * @example
 * <HoldpointProvider options={{ sessionId, transport: sse({ url: '/holdpoint' }) }} messages={german} locale="de">
 *   <Chat />
 * </HoldpointProvider>
 */
export function HoldpointProvider(props: HoldpointProviderProps) {
  const { client: given, options, messages = null, locale: lang, dir, portalContainer } = props
  const { allowFramed = false, clock = systemClock, draftStorage, children, confirmHighRisk = 'hold' } = props
  const slots = useSame(props.slots)
  const classNames = useSame(props.classNames)
  const integrations = useSame(props.integrations)
  const tools = useSame(props.tools)
  const renderers = useSame(props.renderers)
  const { onSignIn, onChangeApprovals } = useHandlers(props)
  const own = useOwnClient(given ? undefined : options, clock)
  const client = given ?? own
  const locale = lang ?? 'en'
  // Providers inside of another one share its live region, so that their questions are announced together.
  const outer = useContext(HoldpointContext)?.announcer
  const announcer = useMemo(() => outer ?? createAnnouncer(clock), [outer, clock])
  const current = useLatest(client)
  const [drafts] = useState(() =>
    openedOnce({
      storage: draftStorage === undefined ? sessionStorageIfAny() : draftStorage,
      owner: () => current()?.getSnapshot().you?.userId,
    }),
  )
  const device = useMemo(() => createDevice(browserStorage, clock.now), [clock])
  useEffect(() => (outer ? undefined : announcer.dispose), [outer, announcer])
  usePartsWhenIdle(clock)
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
      renderers: renderers ?? {},
      confirmHighRisk,
      announcer,
      drafts,
      device,
      onSignIn,
      onChangeApprovals,
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
      renderers,
      confirmHighRisk,
      announcer,
      drafts,
      device,
      onSignIn,
      onChangeApprovals,
      clock,
    ],
  )
  return (
    <HoldpointContext.Provider value={settings}>
      {children}
      {outer ? null : <LiveRegion announcer={announcer} />}
    </HoldpointContext.Provider>
  )
}

/** Returns a function that opens the drafts of a provider with the code of the first card, and later returns the same. */
function openedOnce(options: DraftsOptions) {
  let drafts: Drafts | undefined
  return (create: (options: DraftsOptions) => Drafts) => {
    drafts ??= create(options)
    return drafts
  }
}

/** The handlers of the application, of which only those that are called must be the newest. */
function useHandlers(props: HoldpointProviderProps): Pick<HoldpointProviderProps, 'onSignIn' | 'onChangeApprovals'> {
  const latest = useLatest(props)
  const onSignIn = useCallback(() => latest().onSignIn?.(), [latest])
  const onChangeApprovals = useCallback((toolName: string) => latest().onChangeApprovals?.(toolName), [latest])
  return { ...(props.onSignIn && { onSignIn }), ...(props.onChangeApprovals && { onChangeApprovals }) }
}

/** Undefined where a browser forbids storage, and on a server. */
function browserStorage(): Storage | undefined {
  try {
    return globalThis.localStorage
  } catch {
    return undefined
  }
}

/** Reading `sessionStorage` throws if cookies are off, and servers have none. */
function sessionStorageIfAny(): DraftStorage | null {
  try {
    return typeof window === 'undefined' ? null : window.sessionStorage
  } catch {
    return null
  }
}
