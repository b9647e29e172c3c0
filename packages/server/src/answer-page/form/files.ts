import type { InputField } from '@holdpoint/core'
import { sizeText, type UploadedFile } from '@holdpoint/core/internal'
import { type Html, html, outside } from '../markup/html.ts'
import { fieldName } from './names.ts'

export type FileField = Extract<InputField, { type: 'file' }>

/** The text under which a form carries an uploaded file. The engine compares it with what was uploaded. */
export const carriedFile = ({ handle, name, size, type }: UploadedFile): string =>
  JSON.stringify({ handle, name, size, type })

/** Returns the uploaded files that a form carries for a field. Of a field with one file, the last one counts. */
export function readFiles(field: FileField, form: URLSearchParams): UploadedFile[] | UploadedFile | undefined {
  const files = new Map(form.getAll(fieldName(field.id)).flatMap((text) => readFile(text)))
  const all = [...files.values()]
  return field.multiple && all.length > 0 ? all : all.at(-1)
}

function readFile(text: string): (readonly [handle: string, file: UploadedFile])[] {
  // A form that is not sent as multipart/form-data contains the name of a chosen file instead.
  if (!text.startsWith('{')) return []
  try {
    const { handle, name, size, type } = JSON.parse(text)
    const isFile = [handle, name, type].every((one) => typeof one === 'string') && Number.isSafeInteger(size)
    return isFile ? [[handle, { handle, name, size, type }]] : []
  } catch {
    return []
  }
}

/** Returns the uploaded files in the value of a field. */
export const filesOf = (value: unknown): readonly UploadedFile[] =>
  [value].flat().filter((file): file is UploadedFile => typeof file === 'object' && file !== null && 'handle' in file)

/** Returns the name and the size of a file. */
export const fileText = ({ name, size }: UploadedFile, locale: string): Html =>
  html`${outside(name)} <span class="muted"><bdi>${sizeText(size, locale)}</bdi></span>`

/**
 * Returns the control of a file field, with the files that were uploaded before. Each has a ticked box, because a page
 * without JavaScript has no other way to remove one.
 */
export function fileControl(
  field: FileField,
  {
    id,
    value,
    state,
    locale,
    uploadBytes,
  }: { id: string; value: unknown; state: Html; locale: string; uploadBytes: number },
): Html {
  const { accept = [], multiple = false } = field
  const kept = filesOf(value).map(
    (file) =>
      html`<label class="choice"><input type="checkbox" name="${id}" value="${carriedFile(file)}" checked><span>${fileText(file, locale)}</span></label>`,
  )
  const limit = `≤ ${sizeText(largestFile(field, uploadBytes), locale)}`
  return html`${kept}<input type="file" id="${id}" name="${id}"${accept.length > 0 && html` accept="${accept.join(',')}"`}${multiple && html` multiple`}${state}>
<p class="description">${accept.length > 0 && html`<bdi>${accept.join(', ')}</bdi> · `}<bdi>${limit}</bdi></p>`
}

/** Returns the bytes that a file of this field may have on a server with this limit. */
export const largestFile = ({ maxBytes }: FileField, uploadBytes: number): number =>
  Math.min(maxBytes ?? uploadBytes, uploadBytes)
