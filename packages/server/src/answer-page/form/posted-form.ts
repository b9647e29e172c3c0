import type { InputSchema } from '@holdpoint/core'
import { validateInput } from '@holdpoint/core/forms'
import { type FieldErrors, type Limits, say, sizeText, type UploadedFile } from '@holdpoint/core/internal'
import type { Part } from '../../http/requests/multipart.ts'
import type { PageLanguage } from '../markup/language.ts'
import { carriedFile, type FileField, filesOf, largestFile, readFiles } from './files.ts'
import { fieldName } from './names.ts'

/** The fields of a posted form. Its files are uploaded, and the form carries their handles. */
export interface PostedForm {
  form: URLSearchParams
  /** The reasons why files were not uploaded. */
  fileErrors: FieldErrors
}

/** The reason why a file was not uploaded. */
type Refused = 'too_large' | 'too_many' | 'wrong_type' | 'failed'

/** Uploads a file. `keeps` are the handles that the form has for the field so far. */
export type UploadFile = (field: FileField, part: Part, keeps: readonly string[]) => Promise<UploadedFile | Refused>

/**
 * Returns the largest body of a form. Files that are too large are read and dropped, because the person would see a
 * broken connection instead of the error; a body that is larger still is refused as a whole.
 */
export function largestForm(schema: InputSchema | undefined, limits: Limits): number {
  const { messageBytes, uploadBytes, uploadsPerQuestion } = limits
  const files = fileFields(schema).map(
    (field) => (field.multiple ? uploadsPerQuestion : 1) * largestFile(field, uploadBytes),
  )
  const dropped = files.length > 0 ? DROPPED * uploadBytes : 0
  const all = files.reduce((sum, bytes) => sum + bytes, 0)
  return messageBytes + Math.min(all, uploadsPerQuestion * uploadBytes) + dropped
}

/** How many files of the largest size can be dropped in one form. */
const DROPPED = 4

const fileFields = (schema: InputSchema | undefined) =>
  (schema?.fields ?? []).filter((field): field is FileField => field.type === 'file')

/** Reads a form with files. At most one file is in memory, and none that its field does not allow. */
export async function readParts(
  parts: AsyncIterable<Part>,
  schema: InputSchema | undefined,
  { language, limits, upload }: { language: PageLanguage; limits: Limits; upload: UploadFile },
): Promise<PostedForm | 'too_large'> {
  const form = new URLSearchParams()
  const fileErrors: Record<string, string[]> = {}
  let left = limits.messageBytes
  for await (const part of parts) {
    if (part.fileName === undefined) {
      const text = await part.read(left)
      left -= (text?.byteLength ?? left) + part.name.length
      if (!text || left < 0) return 'too_large'
      form.append(part.name, new TextDecoder().decode(text))
      continue
    }
    const field = fileFields(schema).find(({ id }) => fieldName(id) === part.name)
    if (!field || part.fileName === '') continue
    const file = fits(field, part) ? await upload(field, part, keptOf(field, form)) : 'wrong_type'
    if (typeof file !== 'string') form.append(part.name, carriedFile(file))
    else {
      const error = errorOf(file, field, part.fileName, { language, limits })
      fileErrors[field.id] = [...(fileErrors[field.id] ?? []), error]
    }
  }
  return { form, fileErrors }
}

/** The boxes of the files that were uploaded before are in front of the control for new ones, so they were read before. */
const keptOf = (field: FileField, form: URLSearchParams) => filesOf(readFiles(field, form)).map(({ handle }) => handle)

/** Whether the field accepts the type of the file. The engine checks it again. */
function fits(field: FileField, { fileName: name = '', type }: Part): boolean {
  const file = { handle: 'not yet', name, type, size: 0 }
  const { when: _, ...always } = field
  return validateInput([{ ...always, required: false }], { [field.id]: file }).ok
}

function errorOf(
  why: Refused,
  field: FileField,
  name: string,
  { language: { messages, locale }, limits }: { language: PageLanguage; limits: Limits },
): string {
  if (why === 'wrong_type' && field.accept) {
    return say(messages.uploadWrongType, { name, accepted: field.accept.join(', ') })
  }
  if (why === 'too_many') return say(messages.problems.too_many, { max: limits.uploadsPerQuestion })
  if (why !== 'too_large') return say(messages.uploadFailed, { name })
  return say(messages.uploadTooLarge, { name, limit: sizeText(largestFile(field, limits.uploadBytes), locale) })
}
