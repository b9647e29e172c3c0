import type { Transaction } from '../records/transaction.ts'
import { isPending } from '../state/question.ts'
import type { DeliveryRow, QuestionRow } from '../state/rows.ts'
import { settledOutcome } from '../state/settled-outcome.ts'
import type { DeliveryKernel } from './delivery-kernel.ts'
import { deliveryBase } from './outcome-delivery.ts'

const MOST_REMINDERS = 5

/**
 * Writes the deliveries that a question's new state causes, into the transaction that writes the state. The row remembers
 * what was announced, and the ids follow from the question, so a state that is written again announces nothing.
 */
export function announceQuestion(kernel: DeliveryKernel, tx: Transaction, row: QuestionRow): QuestionRow {
  const outcome = settledOutcome(row)
  const state = outcome ?? (isPending(row) ? 'asked' : undefined)
  if (state === undefined || state === row.announced) return row
  const written = outcome ? announceSettled(kernel, tx, row, outcome) : announceAsked(kernel, tx, row)
  if (!written) return row
  tx.committed(() => kernel.outbox.runSoon())
  return { ...row, announced: state }
}

function announceAsked(kernel: DeliveryKernel, tx: Transaction, row: QuestionRow): boolean {
  const { onAsked, remindAfterMs = [] } = kernel.settings
  const notice = { interactionId: row.id, kind: row.kind }
  if (kernel.outreach) put(tx, row, 'plan', { type: 'surface_plan', ...notice }, tx.now)
  if (!onAsked) return kernel.outreach !== undefined
  put(tx, row, 'asked', { type: 'asked', ...notice }, tx.now)
  remindAfterMs.slice(0, MOST_REMINDERS).forEach((afterMs, index) => {
    const number = index + 1
    put(tx, row, `reminder-${number}`, { type: 'reminder', ...notice, number }, tx.now + afterMs)
  })
  return true
}

/** A `wake` value is a promise to the code that asked, so it is kept for a process that has the hook. */
function announceSettled(
  kernel: DeliveryKernel,
  tx: Transaction,
  row: QuestionRow,
  outcome: NonNullable<ReturnType<typeof settledOutcome>>,
): boolean {
  const { id: interactionId, kind, wake } = row
  if (kernel.outreach) {
    put(tx, row, `surfaces-${outcome}`, { type: 'surface_settled', interactionId, kind, outcome }, tx.now)
  }
  if (!kernel.settings.onSettled && wake === undefined) return kernel.outreach !== undefined
  const content = { type: 'settled' as const, interactionId, kind, outcome, ...(wake !== undefined && { wake }) }
  put(tx, row, outcome, content, tx.now)
  return true
}

type Content =
  Extract<
    DeliveryRow,
    { type: 'asked' | 'reminder' | 'settled' | 'surface_plan' | 'surface_settled' }
  > extends infer Row
    ? Row extends unknown
      ? Omit<Row, keyof ReturnType<typeof deliveryBase>>
      : never
    : never

function put(tx: Transaction, row: QuestionRow, what: string, content: Content, due: number): void {
  const deliveryId = `${row.id}.${what}`
  tx.put('delivery', deliveryId, { ...deliveryBase(row, deliveryId, due), ...content } as DeliveryRow, { due })
}
