import { type Answer, HoldpointError, type Interaction, type RespondResult } from '@holdpoint/core'
import { createContext, useContext } from 'react'
import type { ClassNames, Slots } from '../shared/slots.ts'
import type { CardSurroundings, CardView } from '../shared/use-view.ts'

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

export function useCard(): Card {
  const card = useContext(CardContext)
  if (!card) {
    throw new HoldpointError(
      'no_card',
      'A part of a card was used outside of one. Put it into <ApprovalDialog.Root>, <InputForm.Root> or <AuthRequestCard.Root>.',
    )
  }
  return card
}
