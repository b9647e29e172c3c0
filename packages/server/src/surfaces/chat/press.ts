import { english } from '@holdpoint/core/messages'
import type { Principal } from '../../base/principal.ts'
import type { Holdpoint } from '../../holdpoint.ts'
import { hashOf } from '../../security/hashes.ts'
import { digestOf } from '../shown.ts'
import { APPROVE, readValue } from './card.ts'

/** The part of the Chat SDK's action that is used. The SDK's adapter has verified the request of the platform. */
export interface ChatPress {
  actionId: string
  adapter: { name: string }
  messageId: string
  user: { userId: string }
  value?: string | undefined
  thread: { postEphemeral(user: string, text: string, options: { fallbackToDM: boolean }): Promise<unknown> } | null
}

/** Records the answer of a pressed button. A repeated delivery of the same press repeats the same answer. */
export async function press(
  holdpoint: Holdpoint,
  userOf: (sender: { platform: string; userId: string }) => Principal | null | Promise<Principal | null>,
  event: ChatPress,
): Promise<void> {
  const { actionId, adapter, messageId, user, value = '' } = event
  // Sent only if the platform can show it to this user alone. A stranger does not get a direct message.
  const refused = (text: string) =>
    event.thread?.postEphemeral(user.userId, text, { fallbackToDM: false }).catch(() => {})
  const principal = await userOf({ platform: adapter.name, userId: user.userId })
  const { interactionId, digestStart } = readValue(value)
  if (!principal || !interactionId) return void (await refused(english.notAllowed))

  const tenant = principal.tenant ?? ''
  const record = await holdpoint.interactions.get({ tenant, interactionId })
  const digest = record ? digestOf(record) : ''
  if (!record || !digest.startsWith(digestStart)) return void (await refused(english.notAllowed))
  const parts = [adapter.name, user.userId, messageId, actionId, interactionId]
  const outcome = await holdpoint.answer({
    principal,
    sessionId: record.sessionId,
    interactionId,
    answerId: `chat-${(await hashOf(JSON.stringify(parts))).slice(0, 40)}`,
    clientId: `chat:${adapter.name}:${user.userId}`,
    answer: { action: actionId === APPROVE ? 'approve' : 'deny', shownDigest: digest },
  })
  if (outcome.status === 'refused') await refused(english.notAccepted)
}
