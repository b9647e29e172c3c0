import type { Holdpoint } from '../../holdpoint.ts'
import type { Answer } from '../../http/answers/http-answer.ts'
import { refuse } from '../../http/requests/refuse.ts'
import type { Route, RouteContext } from '../../http/routing/route.ts'
import { hashOf } from '../../security/hashes.ts'
import type { ButtonValue } from './blocks.ts'
import { isSignedBySlack } from './signature.ts'
import type { SlackOptions } from './slack.ts'

const LARGEST = 256 * 1024
const ACTIONS = { 'holdpoint.approve': 'approve', 'holdpoint.deny': 'deny' } as const

/** The part of Slack's payload that is used. */
interface Press {
  type?: unknown
  user?: { id?: unknown; team_id?: unknown }
  container?: { channel_id?: unknown }
  actions?: { action_id?: unknown; action_ts?: unknown; value?: unknown }[]
}

/** Takes the presses of buttons that Slack sends. The signature is checked before anything is read. */
export function interactivityRoute(holdpoint: Holdpoint, options: SlackOptions): Route {
  return {
    method: 'POST',
    path: '/surfaces/slack',
    contentType: 'application/x-www-form-urlencoded',
    public: true,
    withoutOrigin: true,
    handle: async (context) => await receive(holdpoint, options, context),
  }
}

async function receive(holdpoint: Holdpoint, options: SlackOptions, { incoming, body }: RouteContext): Promise<Answer> {
  const bytes = await body(LARGEST)
  const text = typeof bytes === 'string' ? bytes : new TextDecoder().decode(bytes)
  const timestamp = incoming.header('x-slack-request-timestamp')
  const signature = incoming.header('x-slack-signature')
  const now = (options.now ?? Date.now)()
  if (!(await isSignedBySlack(options.signingSecret, { timestamp, signature, body: text }, now))) {
    refuse(
      'not_authenticated',
      'This request is not signed by Slack, or it is older than five minutes. Check the signing secret, and that no body parser runs before Holdpoint.',
    )
  }
  const problem = await press(holdpoint, options, parsed(new URLSearchParams(text).get('payload')))
  if (problem) {
    const { channel, user, message } = problem
    await options.client.apiCall('chat.postEphemeral', { channel, user, text: message, mrkdwn: false }).catch(() => {})
  }
  return { kind: 'answer', status: 200, body: '', headers: {} }
}

function parsed(text: string | null): unknown {
  try {
    return JSON.parse(text ?? '') ?? {}
  } catch {
    return refuse('invalid_json', 'The payload is not JSON.')
  }
}

/** Returns the reply to the user who pressed, if there is one. */
async function press(holdpoint: Holdpoint, options: SlackOptions, payload: unknown) {
  const { type, user, container, actions } = payload as Press
  const [pressed] = Array.isArray(actions) ? actions : []
  const action = ACTIONS[pressed?.action_id as keyof typeof ACTIONS]
  if (type !== 'block_actions' || !action || typeof user?.id !== 'string') return undefined
  const value = parsed(String(pressed?.value ?? '')) as Partial<ButtonValue>
  const teamId = String(user.team_id ?? '')
  const informed = (message: string) => ({ channel: String(container?.channel_id ?? ''), user: user.id, message })
  const principal = await options.userOf({ slackId: user.id, teamId })
  if (!principal || (principal.tenant ?? '') !== value.tenant) return informed('You cannot answer this question.')
  const { sessionId = '', interactionId = '', shownDigest = '' } = value
  const answerId = `slack-${(await hashOf(JSON.stringify([teamId, user.id, pressed?.action_ts, interactionId, action]))).slice(0, 40)}`
  const outcome = await holdpoint.answer({
    ...{ principal, sessionId, interactionId, answerId, clientId: `slack:${teamId}:${user.id}` },
    answer: { action, shownDigest },
  })
  return outcome.status === 'refused' ? informed(outcome.message) : undefined
}
