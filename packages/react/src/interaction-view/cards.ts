import type { Interaction } from '@holdpoint/core'
import type { ComponentType } from 'react'
import { ApprovalCard } from '../approval-dialog/approval-card.tsx'
import { AccountsCard, type AuthRequestCardProps } from '../auth-request-card/accounts-card.tsx'
import { FormCard, type InputFormProps } from '../input-form/form-card.tsx'
import { UnknownCard } from './unknown-card.tsx'

/** The question, and the props of the card of its kind. Everything but the question is optional. */
export type InteractionViewProps = InputFormProps & AuthRequestCardProps

/**
 * The card of each kind of question. They are not taken from `ApprovalDialog` and so on: esbuild loads together with an index
 * what the index exports and anything uses.
 */
export const cards: Readonly<Record<Interaction['kind'], ComponentType<InteractionViewProps>>> = {
  approval: ApprovalCard,
  connect: AccountsCard,
  input: FormCard,
  unknown: UnknownCard,
}
