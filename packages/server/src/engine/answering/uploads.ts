import { HoldpointError } from '@holdpoint/core'
import type { InputField } from '@holdpoint/core/protocol'
import { may, refusal, tenantOf } from './access.ts'
import type { Core } from './core.ts'
import type { Execution } from './execution.ts'
import { randomId, SESSION_ROW, sessionPartition } from './names.ts'
import { isPending, readQuestion } from './place.ts'
import type { Principal, Reply } from './port.ts'
import type { QuestionRow } from './rows.ts'

export interface UploadedBytes {
  interactionId: string
  fieldId: string
  name: string
  type: string
  bytes: Uint8Array
}

/** Takes a file for one field of one open question, from somebody who may answer it, and gives a handle for it. */
export async function receiveUpload(
  core: Core,
  principal: Principal,
  sessionId: string,
  file: UploadedBytes,
): Promise<Reply> {
  await core.ready()
  const partition = sessionPartition(tenantOf(principal), sessionId)
  const handle = randomId(core.environment)
  return await core.transact(partition, async (tx): Promise<Reply> => {
    const [session] = await tx.read(['session', SESSION_ROW])
    const row = session && (await readQuestion(tx, file.interactionId))
    if (!session || !(await may(core, principal, 'respond', session, row ?? undefined))) return refusal('not_found')
    if (!row || !isPending(row)) return refusal('unknown_interaction')
    const field = fileField(row, file.fieldId)
    if (!field) return invalid(file.fieldId, 'This question has no such file field.')
    const { name, type, bytes } = file
    const max = Math.min(field.maxBytes ?? core.limits.uploadBytes, core.limits.uploadBytes)
    if (bytes.byteLength > max) return refusal('too_large', { message: `The file is larger than ${max} bytes.` })
    if (!accepts(field.accept, name, type))
      return invalid(file.fieldId, `Only ${field.accept?.join(', ')} can be uploaded here.`)
    const base64 = Buffer.from(bytes).toString('base64')
    const { interactionId, fieldId } = file
    const { userId } = principal
    const size = bytes.byteLength
    tx.put(
      'upload',
      handle,
      { userId, interactionId, fieldId, name, type, size, at: tx.now, bytes: base64 },
      { due: tx.keepUntil },
    )
    return { status: 200, body: { handle, name, size, type } }
  })
}

/** Errors by field when a handle in an answer is not one that this user uploaded for this very question. */
export async function checkUploads(
  core: Core,
  principal: Principal,
  row: QuestionRow,
  input: Record<string, unknown>,
): Promise<Record<string, string[]> | null> {
  const fields = row.request.type === 'interaction_request' ? (row.request.inputSchema?.fields ?? []) : []
  const given = fields.flatMap((field) =>
    field.type === 'file' ? handlesOf(input[field.id]).map((handle) => ({ field, handle })) : [],
  )
  if (given.length === 0) return null
  const partition = sessionPartition(row.tenant, row.sessionId)
  const uploads = await core.transact(partition, (tx) =>
    tx.read(...given.map(({ handle }) => ['upload', handle] as const)),
  )
  const errors: Record<string, string[]> = {}
  given.forEach(({ field }, index) => {
    const upload = uploads[index]
    const fits = upload?.userId === principal.userId && upload.interactionId === row.id && upload.fieldId === field.id
    if (!fits) errors[field.id] = ['Upload the file again, for this question.']
  })
  return Object.keys(errors).length > 0 ? errors : null
}

/** The bytes behind a handle, for the tool whose session they were uploaded to. */
export async function openUpload(core: Core, { partition }: Execution, handle: string) {
  await core.ready()
  const [row] = await core.transact(partition, (tx) => tx.read(['upload', handle]))
  if (!row?.bytes) {
    throw new HoldpointError(
      'unknown_upload',
      'This session has no upload of this handle. Take the handle from the form input as it is.',
    )
  }
  return { name: row.name, type: row.type, bytes: new Uint8Array(Buffer.from(row.bytes, 'base64')) }
}

type FileField = Extract<InputField, { type: 'file' }>

function fileField(row: QuestionRow, id: string): FileField | undefined {
  const fields = row.request.type === 'interaction_request' ? row.request.inputSchema?.fields : undefined
  return fields?.find((field): field is FileField => field.id === id && field.type === 'file')
}

/** As the `accept` attribute: `.pdf`, `image/*`, `text/plain`. */
export function accepts(accept: readonly string[] | undefined, name: string, type: string): boolean {
  if (!accept?.length) return true
  return accept.some((pattern) => {
    const wanted = pattern.toLowerCase()
    if (wanted.startsWith('.')) return name.toLowerCase().endsWith(wanted)
    return wanted.endsWith('/*') ? type.startsWith(wanted.slice(0, -1)) : type === wanted
  })
}

function handlesOf(value: unknown): string[] {
  const files = Array.isArray(value) ? value : [value]
  return files.flatMap((file: unknown) =>
    typeof file === 'object' && file !== null && 'handle' in file && typeof file.handle === 'string'
      ? [file.handle]
      : [],
  )
}

function invalid(fieldId: string, message: string): Reply {
  return refusal('invalid_input', { fieldErrors: { [fieldId]: [message] } })
}
