import type { Principal } from '../../base/principal.ts'
import type { InteractionRecord } from '../../engine/api/interactions.ts'
import type { Holdpoint } from '../../holdpoint.ts'
import { type MessageLanguage, messageLanguage } from '../message-language.ts'
import type { SlackAddress, SlackOptions } from './slack.ts'
import type { QuestionValue } from './views/question-value.ts'

/** The user in Slack's payload. */
export interface PayloadUser {
  id?: unknown
  team_id?: unknown
}

/** Returns the Slack address of a user, with the language. */
export async function addressIn(
  options: SlackOptions,
  { tenant, userId }: { tenant: string; userId: string },
): Promise<SlackAddress | null> {
  const found = await options.addressOf({ tenant, userId })
  return typeof found === 'string' ? { slackId: found } : found
}

/** The user of a signed request, and the question that the user may answer. */
export interface Answering {
  language: MessageLanguage
  /** The client id of the answer, which contains the Slack user. */
  clientId: string
  /** Absent if the user is unknown or may not answer this question. */
  allowed?: { principal: Principal; record: InteractionRecord }
}

export async function answering(
  holdpoint: Holdpoint,
  options: SlackOptions,
  user: PayloadUser | undefined,
  question: QuestionValue | null,
): Promise<Answering> {
  const [slackId, teamId] = [String(user?.id ?? ''), String(user?.team_id ?? '')]
  const clientId = `slack:${teamId}:${slackId}`
  const principal = slackId ? await options.userOf({ slackId, teamId }) : null
  if (!principal) return { language: messageLanguage(), clientId }
  const { userId, tenant = '' } = principal
  const language = messageLanguage((await addressIn(options, { tenant, userId }))?.language)
  if (!question || question.tenant !== tenant) return { language, clientId }
  const { sessionId, interactionId } = question
  const record = await holdpoint.interactions.get({ tenant, sessionId, interactionId })
  if (!record || (record.userId !== userId && !record.audience.includes(userId))) return { language, clientId }
  return { language, clientId, allowed: { principal, record } }
}
