import type { Principal } from '../../base/principal.ts'
import { type HttpResponse, jsonResponse } from '../../http/responses/http-response.ts'
import { addTurns, openConversation } from '../ask/conversations.ts'
import { requireBearer } from '../http/bearer-user.ts'
import { type Call, type Endpoint, isObject, jsonOf, textIn } from '../http/call.ts'
import { refuse } from '../http/refusals.ts'
import type { AskInput } from '../shared/ask-types.ts'
import type { Broker } from '../shared/broker.ts'
import type { AskResponse } from '../shared/wire.ts'

interface Action {
  prompt: string
  context: Record<string, unknown>
}

const MAX_PROMPT = 32 * 1024

/** `POST /ask`: runs a prompt at once, after a confirmation, or as a turn of a conversation. */
export const ask: Endpoint = {
  method: 'POST',
  path: '/ask',
  withoutOrigin: true,
  async handle(call) {
    const { principal } = await requireBearer(call)
    const body = await jsonOf(call)
    const prompt = textIn(body, 'prompt', MAX_PROMPT)
    if (!prompt) refuse(400, 'MISSING_PROMPT', 'Missing required field: prompt')
    const action: Action = { prompt, context: isObject(body.context) ? body.context : {} }
    const token = textIn(body, 'confirmation_token', 200)
    if (token) {
      await call.broker.confirmations.take(principal, token, action)
      return confirmed(call, principal, action)
    }
    if (body.confirm === true) return askFirst(call.broker, principal, action)
    if (body.interactive === true) return interactive(call, principal, action, textIn(body, 'session_id', 200))
    const { message, data } = await run(call, { principal, ...action, history: [], mode: 'one_shot' })
    return respond({
      status: 'completed',
      message,
      data: { prompt, response: message, ...(data !== undefined && { result: data }) },
    })
  },
}

/** `POST /ask/confirm`: confirms or cancels the action that was shown. */
export const confirm: Endpoint = {
  method: 'POST',
  path: '/ask/confirm',
  withoutOrigin: true,
  async handle(call) {
    const { principal } = await requireBearer(call)
    const body = await jsonOf(call)
    const token = textIn(body, 'confirmation_token', 200)
    if (!token) refuse(400, 'MISSING_CONFIRMATION', 'Missing required field: confirmation_token')
    if (typeof body.approved !== 'boolean') refuse(400, 'MISSING_APPROVED', 'Missing required field: approved')
    // A rejection also consumes the token.
    const action = (await call.broker.confirmations.take(principal, token)) as Action
    if (!body.approved) return respond({ status: 'completed', message: 'Action cancelled by user' })
    return confirmed(call, principal, action)
  },
}

async function askFirst(broker: Broker, principal: Principal, action: Action): Promise<HttpResponse> {
  if (!broker.options.ask) notConfigured()
  return respond({
    status: 'confirmation_required',
    confirmation_token: await broker.confirmations.create(principal, action),
    requires_confirmation: true,
    message: `Please confirm the following action: ${action.prompt}`,
    data: action,
  })
}

async function confirmed(call: Call, principal: Principal, action: Action): Promise<HttpResponse> {
  const { message, data } = await run(call, { principal, ...action, history: [], mode: 'confirmed' })
  return respond({ status: 'completed', message, ...(data !== undefined && { data }) })
}

async function interactive(
  call: Call,
  principal: Principal,
  action: Action,
  given: string | undefined,
): Promise<HttpResponse> {
  const conversation = await openConversation(call.broker, principal, given)
  if (!conversation) refuse(404, 'INVALID_SESSION_ID', 'Invalid or expired session_id')
  const { sessionId, turns } = conversation
  const { message, data } = await run(call, { principal, ...action, history: turns, mode: 'interactive' })
  await addTurns(call.broker, principal, sessionId, [
    { role: 'user', content: action.prompt },
    { role: 'assistant', content: message },
  ])
  return respond({
    status: 'interactive_response',
    session_id: sessionId,
    interactive: true,
    message,
    data: { prompt: action.prompt, ...(data !== undefined && { result: data }) },
  })
}

async function run({ broker, incoming }: Call, input: Omit<AskInput, 'signal'>) {
  const closed = new AbortController()
  incoming.onGone(() => closed.abort())
  return (broker.options.ask ?? notConfigured())({ ...input, signal: closed.signal })
}

function notConfigured(): never {
  refuse(501, 'NOT_CONFIGURED', 'No assistant is configured: the server was created without `ask`.')
}

const respond = (body: AskResponse) => jsonResponse(200, body)
