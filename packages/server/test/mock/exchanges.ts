import { shownDigest } from '@holdpoint/core/wire'
import type { Holdpoint } from '@holdpoint/server'
import { InteractionRefused } from '@holdpoint/server/mock'
import { readEvents } from './read-events.ts'

/** A server that takes the exchanges: the mock, or a real one. */
export interface World {
  readonly holdpoint: Holdpoint
  /** Of the page that sends the requests. */
  readonly origin: string
  /** Sends a request to a path below the mount. */
  send(path: string, init?: RequestInit): Promise<Response>
  signIn(userId: string | null): Promise<void>
  connectAccount(integration: string): Promise<void>
}

/** One request and its response: status, type of the body, and the body. */
export interface Exchange {
  request: string
  status: number
  contentType: string | null
  body: unknown
}

const SESSION = '/sessions/task-42'
const JSON_TYPE = { 'content-type': 'application/json' }

/** Every route that a client uses, in one conversation: each exchange depends on those before it. */
export async function everyExchange(world: World): Promise<Exchange[]> {
  const { holdpoint } = world
  const exchanges: Exchange[] = []
  const session = holdpoint.session('task-42', { userId: 'ada' })

  const send = async (request: string, path: string, init?: RequestInit): Promise<unknown> => {
    const response = await world.send(path, init)
    const contentType = response.headers.get('content-type')
    const body: unknown = contentType?.startsWith('application/json') ? await response.json() : await response.text()
    exchanges.push({ request, status: response.status, contentType, body })
    return body
  }
  const post = (request: string, path: string, body: unknown) =>
    send(request, path, { method: 'POST', headers: JSON_TYPE, body: JSON.stringify(body) })
  const say = (request: string, message: object) =>
    post(request, `${SESSION}/messages`, { clientId: 'tab-1', ...message })
  const stream = async (request: string, count: number, init: RequestInit = {}) => {
    const ended = new AbortController()
    const headers = { accept: 'text/event-stream', ...init.headers }
    const response = await world.send(`${SESSION}/events?client=tab-1`, { headers, signal: ended.signal })
    const events = await readEvents(response, count)
    ended.abort()
    const contentType = response.headers.get('content-type')
    exchanges.push({
      request,
      status: response.status,
      contentType,
      body: events.map(({ name, data }) => [name, data]),
    })
    return events
  }
  const open = async () => {
    const { interactions } = await holdpoint.interactions.list({ userId: 'ada' })
    return interactions.map(({ interactionId }) => interactionId)
  }
  const next = async (known: readonly string[]) => {
    for (;;) {
      const added = (await open()).find((id) => !known.includes(id))
      if (added) return added
    }
  }
  const requestOf = async (interactionId: string) =>
    (await holdpoint.interactions.get({ interactionId, sessionId: 'task-42' }))?.request as never
  const answer = async (request: string, interactionId: string, callId: string, given: object) =>
    say(request, {
      type: 'tool_interaction_response',
      ...{ interactionId, callId, answerId: `answer-${exchanges.length}` },
      shownDigest: shownDigest(await requestOf(interactionId)),
      ...given,
    })
  const ends = (work: Promise<unknown>) =>
    work.catch((error: unknown) => {
      if (!(error instanceof InteractionRefused)) throw error
    })

  await send('a session that does not exist yet is empty', SESSION)
  await send('an inbox without questions is empty', '/inbox')
  await send('a path that no route has', '/nothing')
  await send('a method that the path does not take', `${SESSION}/messages`)
  await session.open()
  await say('a client says hello', { type: 'hello', interaction: { supported: true, enabled: true } })
  await say('a client turns the interactive mode off', { type: 'set_interaction_mode', enabled: false })
  await say('a client turns it on', { type: 'set_interaction_mode', enabled: true })

  const call = session.toolCall({ runId: 'run-1', toolCallId: 'call-1', toolName: 'delete_files' })
  const approval = call.tryApprove({ prompt: 'Delete 3 files?', args: { files: ['a', 'b'] }, extendable: true })
  const first = await next([])
  await send('a session with one question', SESSION)
  await send('an inbox with one question', '/inbox?limit=1')
  const seen = await stream('the event stream from its beginning', 1)
  await say('more time for a question', { type: 'extend_interaction', interactionId: first })
  await stream('the event stream after a cursor', 1, { headers: { 'last-event-id': seen.at(-1)?.id ?? '' } })
  await stream('a cursor of another log', 1, { headers: { 'last-event-id': 'x.9.y' } })
  await send('a poll', `${SESSION}/events?client=tab-1&wait=0`, { headers: { accept: 'application/json' } })
  await answer('an approval of something else than was asked', first, 'call-1', { action: 'approve', shownDigest: 'x' })
  await answer('an action that the question does not offer', first, 'call-1', { action: 'submit', input: {} })
  await answer('an approval', first, 'call-1', { action: 'approve', approvalScope: 'once' })
  await approval
  await answer('a second answer', first, 'call-1', { action: 'deny' })
  await say('an answer to no question', {
    type: 'tool_interaction_response',
    ...{ interactionId: 'none', callId: 'none', answerId: 'a', action: 'deny' },
  })
  await post('a message that is none', `${SESSION}/messages`, { type: 'unknown' })
  await send('a message as text', `${SESSION}/messages`, {
    method: 'POST',
    body: '{}',
    headers: { 'content-type': 'text/plain' },
  })

  const form = session.toolCall({ runId: 'run-1', toolCallId: 'call-2', toolName: 'set_up' })
  const fields = [
    { id: 'email', type: 'email', label: 'E-mail', required: true },
    { id: 'key', type: 'secret', label: 'Key' },
    { id: 'logo', type: 'file', label: 'Logo' },
  ] as const
  const asked = form.tryAsk({ prompt: 'Where to?', fields })
  const second = await next([first])
  await answer('a form with an invalid answer', second, 'call-2', { action: 'submit', input: { email: 'wrong' } })
  const about = `interactionId=${second}&fieldId=logo&name=logo.png&type=image%2Fpng`
  const bytes = {
    method: 'POST',
    headers: { 'content-type': 'application/octet-stream' },
    body: Uint8Array.of(1, 2, 3),
  }
  const logo = await send('a file', `${SESSION}/uploads?${about}`, bytes)
  await send('a file for no question', `${SESSION}/uploads?${about.replace(second, 'none')}`, bytes)
  const input = { email: 'ada@example.com', key: 'hunter2', logo }
  await answer('a form', second, 'call-2', { action: 'submit', input })
  await asked

  const accounts = session.toolCall({ runId: 'run-1', toolCallId: 'call-3', toolName: 'post' })
  const connected = accounts.tryConnect({ integrations: ['slack'], reason: 'to post' })
  const third = await next([first, second])
  await post('connecting an account that is not asked for', `${SESSION}/connect`, {
    interactionId: third,
    integration: 'x',
  })
  const slack = { interactionId: third, integration: 'slack' }
  await post('connecting', `${SESSION}/connect`, { ...slack, returnTo: `${world.origin}/chat?x=1` })
  await post('connecting, and leading to another site', `${SESSION}/connect`, {
    ...slack,
    returnTo: 'https://evil.example/',
  })
  const done = { type: 'submit_auth_result', generationId: 'run-1', integration: 'slack', success: true }
  await say('an account that is not connected yet', done)
  await world.connectAccount('slack')
  await connected
  await say('an account that is connected', done)

  const cancelled = ends(
    session.toolCall({ runId: 'run-2', toolCallId: 'call-4', toolName: 'wait' }).approve({ prompt: 'Go?' }),
  )
  await next([first, second, third])
  await say('the end of a run', { type: 'cancel_run', runId: 'run-2' })
  await cancelled
  await say('user actions of a server without any', {
    type: 'user_actions',
    actions: [{ type: 'global_event', event: 'clicked' }],
  })
  await send('tool settings', '/tool-settings')
  await post('a setting of no tool', '/tool-settings', { toolName: 'none', choice: 'ask' })
  await send('the session after all of it', SESSION)

  await world.signIn('grace')
  await send('the session of another user is empty', SESSION)
  await say('a message into the session of another user', { type: 'hello' })
  await world.signIn(null)
  await send('a user who is signed out', SESSION)
  await send('a stream of a user who is signed out', `${SESSION}/events`, { headers: { accept: 'text/event-stream' } })
  return exchanges
}
