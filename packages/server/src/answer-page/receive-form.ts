import { isHoldpointError } from '@holdpoint/core'
import type { ErrorBody, UploadedFile } from '@holdpoint/core/internal'
import { schemas } from '@holdpoint/core/protocol'
import type { Reply } from '../engine/api/engine.ts'
import type { Holdpoint } from '../holdpoint.ts'
import { contentTypeOf } from '../http/requests/http-request.ts'
import { type Part, partsOf } from '../http/requests/multipart.ts'
import { refuse } from '../http/requests/refuse.ts'
import { receiveFile } from '../http/routes/upload.ts'
import type { RouteContext } from '../http/routing/route.ts'
import { largestForm, type PostedForm, readParts, type UploadFile } from './form/posted-form.ts'
import type { PageLanguage } from './markup/language.ts'
import { limited, type Viewer } from './viewer.ts'

const WITH_FILES = 'multipart/form-data'

/** The types in which a browser posts a form. */
export const FORM_TYPES = ['application/x-www-form-urlencoded', WITH_FILES] as const

/** Reads a posted form, and uploads its files while it arrives: with the rules and limits of all other uploads. */
export async function receiveForm(
  holdpoint: Holdpoint,
  context: RouteContext,
  viewer: Viewer,
  language: PageLanguage,
): Promise<PostedForm | 'too_large'> {
  const { principal, record } = viewer
  const { limits } = context.engine
  if (contentTypeOf(context.incoming) !== WITH_FILES) {
    return { form: formOf(await context.body(limits.messageBytes)), fileErrors: {} }
  }
  const { request, sessionId, interactionId } = record
  const schema = request.type === 'interaction_request' ? request.inputSchema : undefined
  const upload: UploadFile = async ({ id: fieldId }, part, keeps) => {
    const { fileName: name = '', type } = part
    const facts = { interactionId, fieldId, name, type, keeps }
    if (![name, type].every((text) => schemas.id.safeParse(text).success)) return 'failed'
    if (limited(holdpoint, viewer)) return 'failed'
    return await uploaded(part, (read) => receiveFile(context, principal, sessionId, facts, read))
  }
  const parts = partsOf(context.chunks(largestForm(schema, limits)), context.incoming.header('content-type') ?? '')
  try {
    return await readParts(parts, schema, { language, limits, upload })
  } catch (error) {
    if (isHoldpointError(error, 'too_large')) return 'too_large'
    throw error
  }
}

/** Passes a file to the engine, and returns why it was not uploaded. An error of the whole body is thrown. */
async function uploaded(part: Part, send: (read: (maxBytes: number) => Promise<Uint8Array>) => Promise<Reply>) {
  let isTooLarge = false
  const read = async (maxBytes: number) => {
    const bytes = await part.read(maxBytes)
    if (bytes) return bytes
    isTooLarge = true
    refuse('too_large', `The file is larger than ${maxBytes} bytes.`)
  }
  try {
    const { status, body } = await send(read)
    if (status === 200) return body as UploadedFile
    return (body as ErrorBody).error.code === 'invalid_input' ? 'too_many' : 'failed'
  } catch (error) {
    if (isTooLarge) return 'too_large'
    if (isHoldpointError(error, 'rate_limited')) return 'failed'
    throw error
  }
}

/**
 * Returns the fields of a posted form. The body is a text if a body parser of the host has consumed it: JSON after
 * `express.urlencoded()`.
 */
function formOf(body: Uint8Array | string): URLSearchParams {
  if (typeof body !== 'string') return new URLSearchParams(new TextDecoder().decode(body))
  if (!body.startsWith('{')) return new URLSearchParams(body)
  const parsed = Object.entries(readJson(body))
  return new URLSearchParams(parsed.flatMap(([name, value]) => [value].flat().map((one) => [name, String(one)])))
}

function readJson(text: string): Record<string, unknown> {
  try {
    return JSON.parse(text)
  } catch {
    refuse('invalid_message', 'The form is malformed: it is neither encoded as a form nor JSON.')
  }
}
