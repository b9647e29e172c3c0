import type { Holdpoint } from '../../holdpoint.ts'
import { refuse } from '../../http/requests/refuse.ts'
import { type HttpResponse, jsonResponse } from '../../http/responses/http-response.ts'
import type { Route, RouteContext } from '../../http/routing/route.ts'
import { type Press, press } from './press.ts'
import { isSignedBySlack } from './signature.ts'
import type { SlackOptions } from './slack.ts'
import { type Submission, submit } from './submission.ts'

const LARGEST = 256 * 1024

/** Returns the route that receives pressed buttons and submitted forms from Slack. */
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

/** Handles a request of Slack. The signature is checked before the body is parsed. */
async function receive(
  holdpoint: Holdpoint,
  options: SlackOptions,
  { incoming, body }: RouteContext,
): Promise<HttpResponse> {
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
  const payload = parsed(new URLSearchParams(text).get('payload'))
  if (payload.type === 'view_submission') {
    const reply = await submit(holdpoint, options, payload as Submission)
    if (reply) return jsonResponse(200, reply)
  } else if (payload.type === 'block_actions') await press(holdpoint, options, payload as Press)
  // An empty response closes a modal, and changes nothing else.
  return { kind: 'answer', status: 200, body: '', headers: {} }
}

function parsed(text: string | null): { type?: unknown } {
  try {
    return Object(JSON.parse(text ?? ''))
  } catch {
    return refuse('invalid_json', 'The payload is not JSON.')
  }
}
