import { validateInput } from '@holdpoint/core/forms'
import { type FieldSpec, say, sizeText } from '@holdpoint/core/internal'
import type { Messages } from '@holdpoint/core/messages'
import { nameText } from '../../wording/escape.ts'

type Words = Pick<Messages, 'uploadFailed' | 'uploadTooLarge' | 'uploadWrongType'>
type Why = 'size' | 'type' | undefined

/** Returns why a file cannot be uploaded, or undefined if it can. */
export function refusedBefore(field: FieldSpec, { name, size, type }: File): Why {
  const checked = validateInput([{ ...field, required: false } as FieldSpec], {
    [field.id]: { handle: 'not yet', name, size, type },
  })
  if (checked.ok) return undefined
  const reasons = Object.values(checked.problems).flatMap((list) => list.map(({ params }) => params?.reason))
  return reasons.includes('size') ? 'size' : reasons.includes('type') ? 'type' : undefined
}

/** Returns the reason of the server's rejection, if the error contains one. */
export function refusedAfter(error: unknown): Why {
  const { code, details } = (error ?? {}) as { code?: string; details?: { status?: number } }
  if (code === 'too_large' || details?.status === 413) return 'size'
  return details?.status === 415 || details?.status === 422 ? 'type' : undefined
}

/** The message for the user. */
export function uploadProblem(
  why: Why,
  field: FieldSpec,
  fileName: string,
  { messages, locale }: { messages: Words; locale: string },
): string {
  const name = nameText(fileName)
  const { accept = [], maxBytes } = field.type === 'file' ? field : {}
  if (why === 'size') {
    return say(messages.uploadTooLarge, { name, limit: maxBytes === undefined ? '' : sizeText(maxBytes, locale) })
  }
  if (why === 'type' && accept.length) return say(messages.uploadWrongType, { name, accepted: accept.join(', ') })
  return say(messages.uploadFailed, { name })
}
