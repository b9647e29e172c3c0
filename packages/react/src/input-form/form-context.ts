import type { FieldSpec } from '@holdpoint/core/internal'
import { createContext } from 'react'
import { useInside } from '../card/elements/inside.ts'
import type { Problems } from '../field/problems.ts'
import type { Upload } from '../field/types.ts'

export interface Form {
  fields: readonly FieldSpec[]
  values: Readonly<Record<string, unknown>>
  problems: Problems
  /** Goes up with every refused submission: the moment to move focus to what is wrong. */
  refusals: number
  controlId: (fieldId: string) => string
  setValue: (fieldId: string, value: unknown) => void
  submit: () => void
  upload: Upload | undefined
}

export const FormContext = /* @__PURE__ */ createContext<Form | null>(null)

export const useForm = (): Form => useInside(FormContext, 'InputForm')
