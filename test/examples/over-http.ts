import { shownDigest } from '@holdpoint/core/wire'
import { expect, vi } from 'vitest'

interface Question {
  interactionId: string
  toolCallId: string
  toolName: string
}

const LIMIT = { timeout: 120_000, interval: 100 }

/** Ada at an example that runs somewhere, by the requests that her browser would make. */
export async function signIn(url: string, sessionId = `ada-${crypto.randomUUID().slice(0, 8)}`) {
  const session = `${url}/holdpoint/sessions/${sessionId}`
  const cookie = (await post(`${url}/api/login`, { userId: 'ada' })).headers
    .getSetCookie()
    .map((one) => one.split(';')[0])
    .join('; ')
  /** The newest question of the session, with its answer once it has one. */
  const newest = async () => {
    const response = await fetch(session, { headers: { cookie } })
    const { interactions } = (await response.json()) as {
      interactions: { request: Question; response?: { action: string }; running?: boolean }[]
    }
    const found = interactions.at(-1)
    if (!found) throw new Error('nothing was asked yet')
    return found
  }
  return {
    sessionId,
    say: (message: string) => post(`${url}/api/chat`, { sessionId, message }, cookie),
    question: () => vi.waitFor(async () => (await newest()).request, LIMIT),
    approve: (question: Question) =>
      post(
        `${session}/messages`,
        {
          type: 'tool_interaction_response',
          clientId: 'tab',
          answerId: 'yes',
          action: 'approve',
          interactionId: question.interactionId,
          callId: question.toolCallId,
          shownDigest: shownDigest(question as never),
        },
        cookie,
      ),
    /** Waits until the tool that asked has run to its end, and says what was answered. */
    finished: () =>
      vi.waitFor(async () => {
        const { response, running } = await newest()
        expect(response).toBeDefined()
        expect(running).toBeUndefined()
        return response?.action
      }, LIMIT),
  }
}

async function post(url: string, body: object, cookie = ''): Promise<Response> {
  const headers = { 'content-type': 'application/json', origin: new URL(url).origin, cookie }
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
  if (!response.ok) throw new Error(`${url} answered ${response.status}: ${await response.text()}`)
  return response
}
