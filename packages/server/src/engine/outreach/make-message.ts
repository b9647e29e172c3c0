import type { Json } from '../../base/canonical-json.ts'
import type { Outreach, OutreachMessage } from '../api/deliveries.ts'
import type { InteractionRecord } from '../api/interactions.ts'
import { Later } from '../delivery/later.ts'
import type { Kernel } from '../kernel/kernel.ts'
import { sentId, sessionPartition } from '../records/keys.ts'
import { readQuestion } from '../records/question-records.ts'
import { recordOf } from '../session/list-interactions.ts'
import { audienceOf } from '../state/question.ts'
import type { DeliveryRow, QuestionRow, SentRow } from '../state/rows.ts'
import { type NextAction, nextAction } from './next-action.ts'

type Row = Extract<DeliveryRow, { type: 'surface_message' }>

/**
 * Brings one user's message on one surface to the state of its question. The surface is called outside of transactions,
 * so the question can change meanwhile. Each call is therefore followed by another look, until nothing is left to do.
 */
export async function makeMessage(kernel: Kernel, outreach: Outreach, row: Row): Promise<Later | undefined> {
  const { tenant, sessionId, interactionId, surface, to, reminder } = row
  const partition = sessionPartition(tenant, sessionId)
  const id = sentId(interactionId, surface, to)
  let repeat = row.attempts > 1 || row.repeated === true
  for (;;) {
    const { question, sent } = await kernel.transact(partition, async (tx) => {
      const [found] = await tx.read(['sent', id])
      return { question: await readQuestion(tx, interactionId), sent: found }
    })
    const next = nextAction(question, sent, { reminder, repeat })
    if (next.do === 'nothing' || !question || !isConcerned(question, to, sent)) return undefined
    const heldForMs = outreach.heldForMs({ surface, tenant, userId: to })
    if (heldForMs > 0) return new Later(heldForMs)
    const message: OutreachMessage = {
      ...{ surface, tenant, userId: to, reminder, repeat },
      deliveryId: `${id}/${reminder}`,
      ...(sent && { previous: sent.ref }),
    }
    const ref = await act(outreach, next, recordOf(question, kernel), sent, message)
    if (ref === null) return undefined
    repeat = false
    const shown = next.do === 'update' ? next.state : 'asked'
    await store(kernel, partition, id, { interactionId, surface, userId: to, ref, shown, reminder }, sent)
  }
}

/** The reference of the message; null when there is none. */
async function act(
  outreach: Outreach,
  next: NextAction,
  record: InteractionRecord,
  sent: SentRow | null,
  message: OutreachMessage,
): Promise<Json | null> {
  if (next.do === 'update' && sent) {
    await outreach.update(sent.ref, record, message)
    return sent.ref
  }
  const found = message.repeat ? await outreach.find(record, message) : null
  if (found !== null || next.do === 'find') return found
  return await outreach.present(record, message)
}

/** Another node may have changed the message at the same time. Then it is unknown which change came last. */
function store(kernel: Kernel, partition: string, id: string, row: Required<SentRow>, seen: SentRow | null) {
  return kernel.transact(partition, async (tx) => {
    const [now] = await tx.read(['sent', id])
    const { shown, ...rest } = row
    const reminder = Math.max(row.reminder, now?.reminder ?? 0)
    const isOvertaken = now?.shown !== seen?.shown && now?.shown !== shown
    tx.put('sent', id, { ...rest, reminder, ...(!isOvertaken && { shown }) }, { due: tx.keepUntil })
  })
}

/** A user who was erased, or who may no longer answer, gets no new message. */
function isConcerned(question: QuestionRow, userId: string, sent: SentRow | null): boolean {
  return sent !== null || userId === question.userId || audienceOf(question).includes(userId)
}
