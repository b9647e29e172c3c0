import { HoldpointError, type InputField } from '@holdpoint/core'

import { fromBase64, toBase64 } from '../../base/environment.ts'
import type { Principal } from '../../base/principal.ts'
import { may, refusal, tenantOf } from '../access/authorize.ts'
import type { Reply } from '../api/engine.ts'
import type { Execution } from '../calls/execution.ts'
import type { Kernel } from '../kernel/kernel.ts'
import { randomId, SESSION_ROW, sessionPartition } from '../records/keys.ts'
import { putQuestion, readQuestion } from '../records/question-records.ts'
import type { Transaction } from '../records/transaction.ts'
import { isPending } from '../state/question.ts'
import type { QuestionRow } from '../state/rows.ts'

export interface UploadedBytes {
  interactionId: string
  fieldId: string
  name: string
  type: string
  /**
   * The handles that the form still has for the field. At the limit of files, the user's other files for the field make
   * room, because the person removed them. Omitted: no file makes room.
   */
  keeps?: readonly string[]
  /** The file, or what reads it once it is known that it may be uploaded. */
  bytes: Uint8Array | ((maxBytes: number) => Promise<Uint8Array>)
}

/** Accepts a file for one field of one open question, from a user who may answer it, and returns a handle. */
export async function receiveUpload(
  kernel: Kernel,
  principal: Principal,
  sessionId: string,
  file: UploadedBytes,
): Promise<Reply> {
  await kernel.ready()
  const partition = sessionPartition(tenantOf(principal), sessionId)
  const before = await kernel.transact(partition, (tx) => admitted(kernel, tx, principal, file))
  if ('status' in before) return before
  // The body is read only now, so that a rejected upload costs no memory.
  const { max } = before
  const bytes = typeof file.bytes === 'function' ? await file.bytes(max) : file.bytes
  if (bytes.byteLength > max) return refusal('too_large', { message: `The file is larger than ${max} bytes.` })
  const handle = randomId(kernel.environment)
  const base64 = toBase64(bytes)
  const { interactionId, fieldId, name, type } = file
  const { userId } = principal
  const size = bytes.byteLength
  return await kernel.transact(partition, async (tx): Promise<Reply> => {
    const now = await admitted(kernel, tx, principal, file)
    if ('status' in now) return now
    const uploads = { ...now.row.uploads }
    for (const old of now.replaces) {
      tx.delete('upload', old)
      delete uploads[old]
    }
    putQuestion(tx, { ...now.row, uploads: { ...uploads, [handle]: { fieldId, userId } } })
    tx.put(
      'upload',
      handle,
      { userId, interactionId, fieldId, name, type, size, at: tx.now, bytes: base64 },
      { due: tx.keepUntil },
    )
    return { status: 200, body: { handle, name, size, type } }
  })
}

type Admitted = { row: QuestionRow; max: number; replaces: readonly string[] }

/** Checks everything about an upload that does not depend on the file's bytes. */
async function admitted(
  kernel: Kernel,
  tx: Transaction,
  principal: Principal,
  { interactionId, fieldId, name, type, keeps }: Omit<UploadedBytes, 'bytes'>,
): Promise<Reply | Admitted> {
  const [session] = await tx.read(['session', SESSION_ROW])
  const row = session && (await readQuestion(tx, interactionId))
  if (!session || !(await may(kernel, principal, 'respond', session, row ?? undefined))) return refusal('not_found')
  if (!row || !isPending(row)) return refusal('unknown_interaction')
  const field = fileField(row, fieldId)
  if (!field) return invalid(fieldId, 'This question has no such file field.')
  if (!accepts(field.accept, name, type)) {
    return invalid(fieldId, `Only ${field.accept?.join(', ')} can be uploaded here.`)
  }
  const uploads = Object.entries(row.uploads ?? {})
  const mine = uploads.filter(([, one]) => one.fieldId === fieldId && one.userId === principal.userId)
  const { uploadsPerQuestion, uploadBytes } = kernel.limits
  const isFull = uploads.length >= uploadsPerQuestion
  const isRemoved = (handle: string) => isFull && keeps !== undefined && !keeps.includes(handle)
  const replaces = mine.map(([handle]) => handle).filter((handle) => !field.multiple || isRemoved(handle))
  if (uploads.length - replaces.length >= uploadsPerQuestion) {
    return invalid(fieldId, `No more than ${uploadsPerQuestion} files can be uploaded for one question.`)
  }
  return { row, max: Math.min(field.maxBytes ?? uploadBytes, uploadBytes), replaces }
}

/** Errors by field when a handle in an answer is not one that this user uploaded for this very question. */
export async function checkUploads(
  kernel: Kernel,
  principal: Principal,
  row: QuestionRow,
  input: Record<string, unknown>,
): Promise<Record<string, string[]> | null> {
  const fields = row.request.type === 'interaction_request' ? (row.request.inputSchema?.fields ?? []) : []
  const given = fields.flatMap((field) =>
    field.type === 'file' ? filesOf(input[field.id]).map((file) => ({ field, file })) : [],
  )
  if (given.length === 0) return null
  const partition = sessionPartition(row.tenant, row.sessionId)
  const uploads = await kernel.transact(partition, (tx) =>
    tx.read(...given.map(({ file }) => ['upload', file.handle] as const)),
  )
  const errors: Record<string, string[]> = {}
  given.forEach(({ field, file }, index) => {
    const upload = uploads[index]
    const isOwn = upload?.userId === principal.userId && upload.interactionId === row.id && upload.fieldId === field.id
    // The answer names the file to the tool and in the record, so it must name the file that was uploaded.
    const isSame = FACTS.every((fact) => file[fact] === undefined || file[fact] === upload?.[fact])
    if (!isOwn || !isSame) errors[field.id] = ['Upload the file again, for this question.']
  })
  return Object.keys(errors).length > 0 ? errors : null
}

/** The bytes behind a handle, for the tool whose session they were uploaded to. */
export async function openUpload(kernel: Kernel, { partition }: Execution, handle: string) {
  await kernel.ready()
  const [row] = await kernel.transact(partition, (tx) => tx.read(['upload', handle]))
  if (!row?.bytes) {
    throw new HoldpointError(
      'unknown_upload',
      'This session has no upload of this handle. Take the handle from the form input as it is.',
    )
  }
  return { name: row.name, type: row.type, bytes: fromBase64(row.bytes) }
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

interface GivenFile {
  handle: string
  name?: unknown
  size?: unknown
  type?: unknown
}

const FACTS = ['name', 'size', 'type'] as const

function filesOf(value: unknown): GivenFile[] {
  const files = Array.isArray(value) ? value : [value]
  return files.filter(
    (file): file is GivenFile =>
      typeof file === 'object' && file !== null && 'handle' in file && typeof file.handle === 'string',
  )
}

/** Whether every file of an answer is still stored: another upload for the same field replaces a file. */
export async function hasUploads(tx: Transaction, row: QuestionRow, input: Record<string, unknown> = {}) {
  const fields = row.request.type === 'interaction_request' ? (row.request.inputSchema?.fields ?? []) : []
  const files = fields.flatMap(({ id, type }) => (type === 'file' ? filesOf(input[id]) : []))
  if (files.length === 0) return true
  const stored = await tx.read(...files.map(({ handle }) => ['upload', handle] as const))
  return stored.every((upload) => upload !== null)
}

function invalid(fieldId: string, message: string): Reply {
  return refusal('invalid_input', { fieldErrors: { [fieldId]: [message] } })
}
