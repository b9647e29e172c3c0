import type { InputField } from '@holdpoint/core'
import { createContext } from 'react'
import { useInside } from '../../card/elements/inside.ts'
import type { Confirm } from '../confirm/use-confirm.ts'

/** What the person has decided so far, before answering. */
export interface ApprovalDraft {
  scope: string
  reason: string
  editing: boolean
  /** Edited arguments as JSON text, where there are no fields for them. */
  argsText: string | null
  /** Edited arguments by field. */
  argsValues: Readonly<Record<string, unknown>> | null
  decisions: Readonly<Record<string, 'accept' | 'reject'>>
}

/** Arguments as they would be sent. */
export type EditedArgs =
  | { state: 'untouched' }
  | { state: 'edited'; args: unknown }
  | { state: 'invalid'; problems: Readonly<Record<string, readonly string[]>> }

export interface Approval {
  draft: ApprovalDraft
  change: (next: Partial<ApprovalDraft>) => void
  edited: EditedArgs
  argsFields: readonly InputField[] | undefined
  /** What is wrong with the edited arguments, by field; under an empty name what concerns all of them. */
  argsProblems: Readonly<Record<string, readonly string[]>>
  resetArgs: () => void
  /** What an approval of high risk asks for besides a press. */
  confirm: Confirm
  accepted: number
  hunks: number
  /** Why the approval counts once, whatever the server offers. */
  onceOnly: 'edited' | 'partial' | 'not_yours' | undefined
}

export const ApprovalContext = /* @__PURE__ */ createContext<Approval | null>(null)

export const useApproval = (): Approval => useInside(ApprovalContext, 'ApprovalDialog')
