import type { InteractionRecord } from '../../../engine/api/interactions.ts'
import { digestOf } from '../../shown.ts'

/** The question of a button or a modal, and the digest of what it showed. */
export interface QuestionValue {
  tenant: string
  sessionId: string
  interactionId: string
  shownDigest: string
}

/**
 * Returns the value as text, for the value of a button or the `private_metadata` of a modal. Slack returns it in a
 * signed request.
 */
export function metadataOf(interaction: InteractionRecord): string {
  const { tenant, sessionId, interactionId } = interaction
  return JSON.stringify({
    tenant,
    sessionId,
    interactionId,
    shownDigest: digestOf(interaction),
  } satisfies QuestionValue)
}

/** Reads the value, or returns null if another app created it. */
export function questionOf(text: unknown): QuestionValue | null {
  try {
    const { tenant, sessionId, interactionId, shownDigest } = JSON.parse(String(text))
    const all = [tenant, sessionId, interactionId, shownDigest]
    return all.every((one) => typeof one === 'string') ? { tenant, sessionId, interactionId, shownDigest } : null
  } catch {
    return null
  }
}
