import type { FieldSpec } from '@holdpoint/core/internal'
import { createContext } from 'react'
import { useInside } from '../card/elements/inside.ts'
import type { Problems } from '../field/values/problems.ts'
import type { Upload } from '../field/values/types.ts'
import type { Steps } from './use-steps.ts'

export interface Form {
  /** All fields; `asked` are those whose condition holds. */
  fields: readonly FieldSpec[]
  asked: readonly FieldSpec[]
  steps: Steps
  goTo: (step: number) => void
  /** Increases with every step that the person opens. */
  moves: number
  values: Readonly<Record<string, unknown>>
  problems: Problems
  /** Increases with every rejected submission, so that the focus moves to the problems. */
  refusals: number
  controlId: (fieldId: string) => string
  setValue: (fieldId: string, value: unknown) => void
  submit: () => void
  upload: Upload | undefined
}

export const FormContext = /* @__PURE__ */ createContext<Form | null>(null)

export const useForm = (): Form => useInside(FormContext, 'InputForm')
