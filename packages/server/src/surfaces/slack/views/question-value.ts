import type { InteractionRecord } from '../../../engine/api/interactions.ts'
import { digestOf } from '../../shown.ts'

/** The question of a button or a modal, and the digest of what it showed. */
export interface QuestionValue {
  tenant: string
  sessionId: string
  interactionId: string
  shownDigest: string
}

/** The same as text: the value of a button, or the `private_metadata` of a modal. Slack signs what it sends back. */
export function metadataOf(interaction: InteractionRecord): string {
  const { tenant, sessionId, interactionId } = interaction
  return JSON.stringify({
    tenant,
    sessionId,
    interactionId,
    shownDigest: digestOf(interaction),
  } satisfies QuestionValue)
}

/** Reads it; null if it is of another app. */
export function questionOf(text: unknown): QuestionValue | null {
  try {
    const { tenant, sessionId, interactionId, shownDigest } = JSON.parse(String(text))
    const all = [tenant, sessionId, interactionId, shownDigest]
    return all.every((one) => typeof one === 'string') ? { tenant, sessionId, interactionId, shownDigest } : null
  } catch {
    return null
  }
}
