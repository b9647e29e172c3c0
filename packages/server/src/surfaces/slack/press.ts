import { outcomeText } from '../../answer-page/outcome.ts'
import type { Holdpoint } from '../../holdpoint.ts'
import { hashOf } from '../../security/hashes.ts'
import { digestOf } from '../shown.ts'
import { call } from './call.ts'
import type { SlackOptions } from './slack.ts'
import { answering, type PayloadUser } from './slack-user.ts'
import { canShowForm, formModal } from './views/modal.ts'
import { questionOf } from './views/question-value.ts'

const ACTIONS = {
  'holdpoint.approve': 'approve',
  'holdpoint.deny': 'deny',
  'holdpoint.decline': 'decline',
  'holdpoint.form': 'form',
} as const

/** The used part of Slack's payload for a pressed button. */
export interface Press {
  type: 'block_actions'
  user?: PayloadUser
  trigger_id?: unknown
  container?: { channel_id?: unknown }
  actions?: { action_id?: unknown; action_ts?: unknown; value?: unknown }[]
}

/**
 * Records the answer of a pressed button, or opens the form. A repeated delivery of the same press repeats the same
 * answer.
 */
export async function press(holdpoint: Holdpoint, options: SlackOptions, payload: Press): Promise<void> {
  const { user, container, actions } = payload
  const [pressed] = Array.isArray(actions) ? actions : []
  const action = ACTIONS[pressed?.action_id as keyof typeof ACTIONS]
  if (!action) return
  const question = questionOf(pressed?.value)
  const { language, clientId, allowed } = await answering(holdpoint, options, user, question)
  const { messages } = language
  const inform = async (text: string) => {
    const to = { channel: String(container?.channel_id ?? ''), user: String(user?.id ?? '') }
    await options.client.apiCall('chat.postEphemeral', { ...to, text, mrkdwn: false }).catch(() => {})
  }
  if (!allowed || !question) return await inform(messages.notAllowed)

  const { principal, record } = allowed
  const { sessionId, interactionId, shownDigest } = question
  const ended = outcomeText(record, principal, messages)
  if (action === 'form') {
    if (ended !== undefined) return await inform(ended)
    if (!canShowForm(record, language) || digestOf(record) !== shownDigest) return await inform(messages.shownDiffers)
    await call(options.client, 'views.open', { trigger_id: payload.trigger_id, view: formModal(record, language) })
    return
  }
  const id = await hashOf(JSON.stringify([clientId, pressed?.action_ts, interactionId, action]))
  const outcome = await holdpoint.answer({
    ...{ principal, sessionId, interactionId, answerId: `slack-${id.slice(0, 40)}`, clientId },
    answer: action === 'decline' ? { action } : { action, shownDigest },
  })
  if (outcome.status === 'accepted') return
  const now = await holdpoint.interactions.get({ tenant: record.tenant, sessionId, interactionId })
  await inform((now && outcomeText(now, principal, messages)) ?? messages.notAccepted)
}
