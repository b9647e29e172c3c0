import type { SessionSnapshot } from '@holdpoint/core/internal'
import { shownDigest } from '@holdpoint/core/wire'
import { SseReader } from './sse.ts'

const headers = { authorization: 'Bearer ada', 'content-type': 'application/json' }

/** Ada, at whichever node. */
export function person(url: string) {
  const session = (sessionId: string) => `${url}/sessions/${encodeURIComponent(sessionId)}`

  const snapshot = async (sessionId: string): Promise<SessionSnapshot | null> => {
    const response = await fetch(session(sessionId), { headers })
    return response.ok ? ((await response.json()) as SessionSnapshot) : null
  }

  /** The digest of what a person sees who has just read the session. */
  const shown = async (sessionId: string, interactionId: string): Promise<string> => {
    const asked = (await snapshot(sessionId))?.interactions.find(
      ({ request }) => 'interactionId' in request && request.interactionId === interactionId,
    )
    return asked ? shownDigest(asked.request as never) : 'not shown'
  }

  return {
    snapshot,

    /** The question of this call, once it is open. */
    async question(sessionId: string, toolCallId: string): Promise<string> {
      for (let tries = 0; tries < 400; tries++) {
        const found = (await snapshot(sessionId))?.interactions.find(
          ({ request, response, closed }) =>
            'toolCallId' in request && request.toolCallId === toolCallId && !response && !closed,
        )
        if (found && 'interactionId' in found.request) return String(found.request.interactionId)
        await new Promise((resolve) => setTimeout(resolve, 25))
      }
      throw new Error(`no question of ${toolCallId} in ${sessionId}`)
    },

    shown,

    /** Pass `shownDigest` where many answer at once, so that not each of them reads the session first. */
    async answer(sessionId: string, callId: string, interactionId: string, more: Record<string, unknown> = {}) {
      const digest = more.shownDigest ?? (await shown(sessionId, interactionId))
      const response = await fetch(`${session(sessionId)}/messages`, {
        method: 'POST',
        headers,
        body: JSON.stringify({
          type: 'tool_interaction_response',
          shownDigest: digest,
          clientId: 'tab',
          callId,
          interactionId,
          answerId: crypto.randomUUID(),
          action: 'approve',
          ...more,
        }),
      })
      return { status: response.status, body: (await response.json()) as Record<string, unknown> }
    },

    /** Says what this tab can, as a client does when it connects. */
    hello: (sessionId: string) =>
      fetch(`${session(sessionId)}/messages`, {
        method: 'POST',
        headers,
        body: JSON.stringify({ type: 'hello', clientId: 'tab', interaction: { supported: true, enabled: true } }),
      }).then(({ status }) => status),

    /** A live stream; ends when it is closed or the node goes. */
    stream: (sessionId: string, cursor?: string) =>
      new SseReader(`${session(sessionId)}/events?client=tab${cursor ? `&cursor=${cursor}` : ''}`, headers),
  }
}
