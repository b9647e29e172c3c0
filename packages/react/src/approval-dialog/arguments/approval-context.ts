import type { InputField } from '@holdpoint/core'
import type { FieldProblem } from '@holdpoint/core/internal'
import type { EditableGroup } from '@holdpoint/core/internal/editing'
import { createContext } from 'react'
import { useInside } from '../../card/elements/inside.ts'
import type { Confirm } from '../confirm/use-confirm.ts'

/** The decisions of the person before the answer. */
export interface ApprovalDraft {
  scope: string
  reason: string
  /** The instruction for the assistant, which only a denial carries. */
  instead: string
  editing: boolean
  /** The person chose to edit JSON, although there are fields. */
  json: boolean
  /** Edited arguments as JSON text. */
  argsText: string | null
  /** The fields derived from the values that wrote `argsText`, and the problems of what is typed in them. */
  argsForm: EditableGroup | null
  argsProblems: Readonly<Record<string, readonly FieldProblem[]>> | null
  /** Edited arguments by field of the tool's schema. */
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
  /** The problems of the edited arguments, by field; those of the whole edit have an empty name. */
  argsProblems: Readonly<Record<string, readonly string[]>>
  resetArgs: () => void
  /** The additional confirmation of an approval with high risk. */
  confirm: Confirm
  accepted: number
  hunks: number
  /** Why the approval counts once, whatever the server offers. */
  onceOnly: 'edited' | 'partial' | 'not_yours' | undefined
}

export const ApprovalContext = /* @__PURE__ */ createContext<Approval | null>(null)

export const useApproval = (): Approval => useInside(ApprovalContext, 'ApprovalDialog')
