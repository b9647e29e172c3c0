import type { HoldpointClient } from '@holdpoint/core'
import type { Messages } from '@holdpoint/core/messages'
import { createContext, type ReactNode, useContext } from 'react'
import type { Announcer } from '../announce/announcer.ts'
import { type Clock, systemClock } from '../base/clock.ts'
import type { Device } from '../base/device.ts'
import type { Drafts, DraftsOptions } from '../base/drafts.ts'
import type { ClassNames, Slots } from '../base/slots.ts'

/** The name and appearance of an account. They come from the application, never from an agent. */
export interface IntegrationInfo {
  name: string
  /** Address of an image, shown at 20 pixels. */
  icon?: string
  /** The host that a click leads to, shown before the user leaves: `slack.com`. */
  host?: string
}

/** How high-risk approvals are confirmed: hold the button, type a name, or press it like any other. */
export type HighRiskConfirm = 'hold' | 'type' | 'press'

/** The name and appearance of a tool. They come from the application, never from an agent. */
export interface ToolInfo {
  name: string
  /** Address of an image, shown at 20 pixels. */
  icon?: string
  /** One sentence about what the tool does, shown below the question. */
  description?: string
  /** How approvals of high risk are confirmed. @default `confirmHighRisk` of the provider */
  confirm?: HighRiskConfirm
  /** The text to type if `confirm` is `type`, for example the name of the database. @default the button's label */
  confirmName?: (args: unknown) => string
}

/** Shows the arguments of one tool on its card. `definePreview` of `@holdpoint/react/previews` creates it. */
export interface ToolPreview {
  (props: ToolPreviewProps): ReactNode
  /** Names of the arguments that it can show. The others are rows. */
  readonly shows: readonly string[]
}

export interface ToolPreviewProps {
  /** The arguments as they will run. */
  args: unknown
  /** Renders arguments as the rows that a card without a preview has. */
  rows: (args: unknown) => ReactNode
}

export interface HoldpointSettings {
  client: HoldpointClient | null
  /** Null stands for the English texts, which only components load. */
  messages: Messages | null
  locale: string
  /** The language of `messages`, if the application names it. It is the `lang` of every card. */
  lang: string | undefined
  dir: 'ltr' | 'rtl' | undefined
  slots: Partial<Slots>
  classNames: ClassNames
  portalContainer: HTMLElement | null | undefined
  allowFramed: boolean
  integrations: Readonly<Record<string, IntegrationInfo>>
  tools: Readonly<Record<string, ToolInfo>>
  renderers: Readonly<Record<string, ToolPreview>>
  confirmHighRisk: HighRiskConfirm
  announcer: Announcer | null
  /** The drafts of all cards below. Each card passes the function that creates them, so that they are loaded with the cards. */
  drafts: ((create: (options: DraftsOptions) => Drafts) => Drafts) | null
  device: Device | undefined
  onSignIn: (() => unknown) | undefined
  onChangeApprovals: ((toolName: string) => unknown) | undefined
  clock: Clock
}

/** The settings without a provider, for a card that is controlled by props alone. */
export const HoldpointContext = /* @__PURE__ */ createContext<HoldpointSettings>({
  client: null,
  messages: null,
  locale: 'en',
  lang: undefined,
  dir: undefined,
  slots: {},
  classNames: {},
  portalContainer: undefined,
  allowFramed: false,
  integrations: {},
  tools: {},
  renderers: {},
  confirmHighRisk: 'hold',
  announcer: null,
  drafts: null,
  device: undefined,
  onSignIn: undefined,
  onChangeApprovals: undefined,
  clock: systemClock,
})

export const useSettings = () => useContext(HoldpointContext)
