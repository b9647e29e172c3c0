import type { ReactNode } from 'react'
import { ApprovalDialog } from '../approval-dialog/approval-dialog.tsx'
import { AuthRequestCard, type AuthRequestCardProps } from '../auth-request-card/auth-request-card.tsx'
import { InputForm, type InputFormProps } from '../input-form/input-form.tsx'
import { UnknownCard } from './unknown-card.tsx'

/** The question, and the props of the card of its kind. Everything but the question is optional. */
export type InteractionViewProps = InputFormProps & AuthRequestCardProps

/**
 * Shows a question with the card of its kind. A question that was asked again renders nothing, because the next prompt
 * replaces it.
 *
 * @example {interactions.map((one) => <InteractionView key={one.interactionId} interaction={one} />)}
 */
export function InteractionView(props: InteractionViewProps): ReactNode {
  const { interaction, onUpload, rows, onConnect, onFinished, onClientToken, redirect, returnTo, ...card } = props
  if (interaction?.replacedBy) return null
  switch (interaction?.kind) {
    case 'connect':
      return (
        <AuthRequestCard
          {...card}
          {...{ interaction, rows, onConnect, onFinished, onClientToken, redirect, returnTo }}
        />
      )
    case 'input':
      return <InputForm {...card} interaction={interaction} onUpload={onUpload} />
    case 'unknown':
      return <UnknownCard {...card} interaction={interaction} />
    default:
      return <ApprovalDialog {...card} interaction={interaction} />
  }
}
