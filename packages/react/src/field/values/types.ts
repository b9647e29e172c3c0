import type { FieldSpec, UploadedFile } from '@holdpoint/core/internal'

/** Uploads a file. Resolves with the value of the field. */
/** `keeps` are the handles that the field still has. */
export type Upload = (fieldId: string, file: File, keeps?: readonly string[]) => Promise<UploadedFile>

export interface ControlProps {
  field: FieldSpec
  controlId: string
  value: unknown
  onChange: (value: unknown) => void
  problems?: readonly string[] | undefined
  readOnly?: boolean | undefined
  upload?: Upload | undefined
}

/** Connects a control to its label, description, hints and problems. `hints` are ids of texts below the control. */
export function described({ controlId, field, problems }: ControlProps, ...hints: (string | false | undefined)[]) {
  const ids = [
    field.description && `${controlId}-about`,
    problems?.length && `${controlId}-problem`,
    ...hints.map((hint) => hint && `${controlId}-${hint}`),
  ].filter(Boolean)
  return {
    id: controlId,
    name: field.id,
    'aria-invalid': problems?.length ? (true as const) : undefined,
    'aria-describedby': ids.length ? ids.join(' ') : undefined,
    'aria-required': field.required || undefined,
  }
}
