import type { Answer, Interaction, RespondResult } from '@holdpoint/core'
import { createContext } from 'react'
import type { ClassNames, Slots } from '../shared/slots.ts'
import type { CardSurroundings, CardView } from '../shared/use-view.ts'
import { useInside } from './inside.ts'

/** What every card takes, whatever it asks. */
export interface CardProps extends CardSurroundings {
  /** The question; a card without one is loading. */
  interaction: Interaction | undefined
  /** Sends the answer; the client's `respond` when omitted. */
  onRespond?: ((answer: Answer) => Promise<RespondResult | undefined> | undefined) | undefined
  /** Sends the answer that could not be sent again; the client's `retry` when omitted. */
  onRetry?: (() => unknown) | undefined
  /** Asks for more time; the client's `extend` when omitted. */
  onExtend?: (() => unknown) | undefined
  /** Ends the run; the client's `cancelRun` when omitted. */
  onCancelRun?: (() => unknown) | undefined
  /** Classes by part, added to those of the provider. */
  classNames?: ClassNames | undefined
  /** Controls for this card only. */
  slots?: Partial<Slots> | undefined
  /** Where the larger view is put. */
  portalContainer?: HTMLElement | null | undefined
}

export interface Card {
  interaction: Interaction | undefined
  view: CardView
  /** Element ids, by part. */
  id: (part: string) => string
  describedBy: string | undefined
  classNames: ClassNames
  slots: Partial<Slots>
  portalContainer: HTMLElement | null | undefined
  poppedOut: boolean
  setPoppedOut: (open: boolean) => void
  /** One answer a question, however fast the clicks. */
  respond: (answer: Answer) => void
  retry: () => void
  extend: () => void
  cancelRun: () => void
}

export const CardContext = /* @__PURE__ */ createContext<Card | null>(null)

export const useCard = (): Card => useInside(CardContext, 'ApprovalDialog')
