import type { Answer, Interaction, RespondResult } from '@holdpoint/core'
import type { InteractionRequestEvent } from '@holdpoint/core/internal'
import type { Messages } from '@holdpoint/core/messages'

import { createContext } from 'react'
import type { Drafts } from '../../base/drafts.ts'
import type { ClassNames, SlotName, Slots } from '../../base/slots.ts'
import type { HoldpointSettings, ToolInfo } from '../../settings/context.ts'
import type { CardAction } from '../../wording/answer-text.ts'
import { useInside } from './inside.ts'
import type { PopOutView } from './pop-out-view.tsx'
import type { CardSurroundings, CardView } from './use-view.ts'

/** The props that all cards share. */
export interface CardProps extends CardSurroundings {
  /** The question; a card without one is loading. */
  interaction: Interaction | undefined
  /** Sends the answer; the client's `respond` when omitted. */
  onRespond?: ((answer: Answer) => Promise<RespondResult | undefined> | undefined) | undefined
  /** Sends the answer that could not be sent again; the client's `retry` when omitted. */
  onRetry?: (() => unknown) | undefined
  /** Asks for more time; the client's `extend` when omitted. The card says "not sent" when its promise rejects. */
  onExtend?: (() => unknown) | undefined
  /** Ends the run; the client's `cancelRun` when omitted. The card says "not sent" when its promise rejects. */
  onCancelRun?: (() => unknown) | undefined
  /**
   * Level of the prompt as a heading of the page.
   *
   * @default 3
   */
  headingLevel?: 1 | 2 | 3 | 4 | 5 | 6 | undefined
  /** Title of the tool from elsewhere, such as its chat part. The provider's `tools` go before it. */
  toolTitle?: string | undefined
  /** Classes by part, added to those of the provider. */
  classNames?: ClassNames | undefined
  /** Controls for this card only. */
  slots?: Partial<Slots> | undefined
  /** Where the larger view is put. */
  portalContainer?: HTMLElement | null | undefined
}

/** The context of a card's parts: the settings of the provider for this card, and the card itself. */
export interface Card extends Omit<HoldpointSettings, 'drafts'> {
  drafts: Drafts | null
  messages: Messages
  interaction: Interaction | undefined
  /** The request, unless the question is about accounts. */
  request: InteractionRequestEvent | undefined
  view: CardView
  /** The tool's name for people, its icon and its description. */
  tool: ToolInfo
  /** The question accepts no answer: the card is one line. */
  over: boolean
  /** True if there is a question and it has no answer yet. */
  open: boolean
  /** Element ids, by part. */
  id: (part: string) => string
  /** Id of the part that names the card. */
  labelledBy: string
  describedBy: string | undefined
  /** The component of the larger view, while it is open. */
  PopOutView: typeof PopOutView | null
  openPopOut: (View: typeof PopOutView) => void
  closePopOut: () => void
  headingLevel: number
  /** Sends at most one answer for a question, however fast the user clicks. */
  respond: (answer: Answer) => void
  /** The answer that could not be sent, until the user puts it aside. */
  unsent: Answer | undefined
  /** The button whose answer or action is being sent. */
  sending: SlotName | undefined
  /** The stop or extension that is being sent or could not be sent. */
  action: CardAction | null
  /** Sends again what could not be sent, and moves focus to the button that had sent it. */
  retry: () => void
  /** Puts aside what could not be sent, and moves focus to the button that had sent it. */
  change: () => void
  extend: () => void
  cancelRun: () => void
}

export const CardContext = /* @__PURE__ */ createContext<Card | null>(null)

export const useCard = (): Card => useInside(CardContext, 'ApprovalDialog', 'InputForm', 'AuthRequestCard')
