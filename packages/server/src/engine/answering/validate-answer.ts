import { validateInput } from '@holdpoint/core/forms'
import type { FieldErrors, ToolInteractionResponseMessage } from '@holdpoint/core/internal'

import { canonicalJson } from '../../base/canonical-json.ts'
import type { Principal } from '../../base/principal.ts'
import { refusal } from '../access/authorize.ts'
import type { Reply } from '../api/engine.ts'
import type { ArgsSchema } from '../api/questions.ts'
import { sessionPartition } from '../records/keys.ts'
import type { Transaction } from '../records/transaction.ts'
import { issuesByField } from '../state/field-errors.ts'
import type { QuestionRow, SecretRow } from '../state/rows.ts'
import type { AnsweringKernel } from './answering-kernel.ts'
import { checkUploads } from './uploads.ts'

export type CheckedAnswer =
  | {
      ok: true
      input?: Record<string, unknown>
      /** Present only if the person changed the arguments. */
      args?: unknown
      secrets: readonly { id: string; row: SecretRow }[]
    }
  | { ok: false; reply: Reply }

/** Returns the result for a plain yes or no, which needs no validation outside of the transaction. */
export function nothingToCheck(
  { request }: QuestionRow,
  { action, args }: ToolInteractionResponseMessage,
): CheckedAnswer | undefined {
  const agrees = action === 'submit' || action === 'approve'
  const asksNothing = request.type !== 'interaction_request' || (args === undefined && !request.inputSchema)
  return !agrees || asksNothing ? { ok: true, secrets: [] } : undefined
}

/** Validates an answer against its question: fields, uploads and edited arguments. Writes nothing. */
export async function checkAnswer(
  kernel: AnsweringKernel,
  principal: Principal,
  row: QuestionRow,
  message: ToolInteractionResponseMessage,
): Promise<CheckedAnswer> {
  const { request } = row
  const plain = nothingToCheck(row, message)
  if (plain || request.type !== 'interaction_request') return plain ?? { ok: true, secrets: [] }
  const args = await checkArgs(kernel, row, message.action === 'approve' ? message.args : undefined)
  if ('ok' in args) return args
  if (!request.inputSchema) return { ok: true, ...args, secrets: [] }

  const checked = validateInput(request.inputSchema, message.input ?? {})
  if (!checked.ok) {
    const problems = Object.entries(checked.problems).map(([id, found]) => [id, found.map((one) => one.message)])
    return invalid(Object.fromEntries(problems))
  }
  const uploads = await checkUploads(kernel, principal, row, checked.value)
  if (uploads) return invalid(uploads)
  return { ok: true, ...args, ...seal(kernel, row, checked.value) }
}

/** Stores typed secrets in the vault and replaces them by references. */
function seal(kernel: AnsweringKernel, row: QuestionRow, input: Record<string, unknown>) {
  const fields = row.request.type === 'interaction_request' ? (row.request.inputSchema?.fields ?? []) : []
  const secrets: { id: string; row: SecretRow }[] = []
  const sealed = { ...input }
  for (const field of fields) {
    const value = sealed[field.id]
    if (field.type !== 'secret' || typeof value !== 'string') continue
    const secret = kernel.vault.seal(sessionPartition(row.tenant, row.sessionId), value)
    secrets.push(secret)
    sealed[field.id] = secret.reference
  }
  return { input: sealed, secrets }
}

export function storeSecrets(tx: Transaction, answer: Extract<CheckedAnswer, { ok: true }>): void {
  for (const { id, row } of answer.secrets) tx.put('secret', id, row)
}

/** If this node knows the tool, edited arguments are checked by the tool's own schema before the answer is accepted. */
async function checkArgs(
  kernel: AnsweringKernel,
  row: QuestionRow,
  args: unknown,
): Promise<{ args?: unknown } | Extract<CheckedAnswer, { ok: false }>> {
  const { request } = row
  if (args === undefined || request.type !== 'interaction_request') return {}
  if (canonicalJson(args) === canonicalJson(request.args)) return {}
  if (!request.editable) return { ok: false as const, reply: refusal('action_not_allowed', { message: NOT_EDITABLE }) }
  const fields = request.argsSchema
  if (fields) {
    const checked = validateInput(fields, args)
    if (!checked.ok) {
      const problems = Object.entries(checked.problems).map(([id, found]) => [id, found.map((one) => one.message)])
      return invalid(Object.fromEntries(problems))
    }
  }
  const schema = kernel.editSchema(row.toolName)
  const parsed = schema && row.registered ? await schema.safeParseAsync(args) : undefined
  if (parsed && !parsed.success) {
    const { fieldErrors, error } = issuesByField(parsed.error.issues)
    return invalid(fieldErrors, error)
  }
  if (parsed && schema) return { args: await asTheToolGetsIt(parsed.data, args, schema) }
  return { args: await asTheWaiterGetsIt(kernel, row, args) }
}

/** The same for the schema of `ctx.approve`. If it rejects the arguments, the question is asked again. */
async function asTheWaiterGetsIt(kernel: AnsweringKernel, row: QuestionRow, args: unknown): Promise<unknown> {
  const schema = kernel.waiters.find(sessionPartition(row.tenant, row.sessionId), row.id)?.argsSchema
  const parsed = await schema?.safeParseAsync(args)
  return schema && parsed?.success ? await asTheToolGetsIt(parsed.data, args, schema) : args
}

/**
 * The arguments after the schema has dropped unknown keys and filled in defaults: what runs is what the record shows. A
 * schema that transforms would transform twice, so its input stays as the user wrote it.
 */
async function asTheToolGetsIt(parsed: unknown, written: unknown, schema: ArgsSchema<unknown>): Promise<unknown> {
  const stored: unknown = JSON.parse(canonicalJson(parsed))
  const again = await schema.safeParseAsync(stored)
  return again.success && canonicalJson(again.data) === canonicalJson(stored) ? stored : written
}

const NOT_EDITABLE = 'The arguments of this question cannot be changed. Approve or deny them as they are.'

/** A problem that concerns no field is the message itself: without fieldErrors, cards show it to the person. */
function invalid(fieldErrors: FieldErrors, error?: string) {
  return { ok: false as const, reply: refusal('invalid_input', { ...(error && { message: error }), fieldErrors }) }
}
