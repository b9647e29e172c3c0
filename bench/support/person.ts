import { shownDigest } from '@holdpoint/core/wire'
import type { Holdpoint, LifecycleEvent } from '@holdpoint/server'
import { engineOf } from './engine.ts'

export interface Question {
  callId: string
  interactionId: string
  /** Needed by what checks messages from outside. */
  shownDigest?: string
}

/** A person who receives questions as they are asked, and can approve them. */
export function person(userId = 'ada') {
  const waiting = new Map<string, (interactionId: string) => void>()
  const message = ({ callId, interactionId, shownDigest }: Question, clientId = 'tab-1') => ({
    type: 'tool_interaction_response' as const,
    clientId,
    callId,
    interactionId,
    answerId: crypto.randomUUID(),
    action: 'approve' as const,
    ...(shownDigest !== undefined && { shownDigest }),
  })
  return {
    /** For `createHoldpoint`. */
    onEvent(event: LifecycleEvent) {
      if (event.type !== 'asked') return
      waiting.get(event.toolCallId)?.(event.interactionId)
      waiting.delete(event.toolCallId)
    },
    /** The question of a call that is about to ask, as it is read from the session: call this first. */
    async question(holdpoint: Holdpoint, sessionId: string, callId: string): Promise<Question> {
      return await this.look(holdpoint, sessionId, callId, await this.heard(callId))
    },
    /** The id of the question of a call that is about to ask. */
    heard: (callId: string) => new Promise<string>((resolve) => waiting.set(callId, resolve)),
    /** Reads a question from its session. */
    async look(holdpoint: Holdpoint, sessionId: string, callId: string, interactionId: string): Promise<Question> {
      const shown = await holdpoint.interactions.get({ sessionId, interactionId })
      return { callId, interactionId, ...(shown && { shownDigest: shownDigest(shown.request) }) }
    },
    /** The message that a browser posts to approve. */
    message,
    approve: (holdpoint: Holdpoint, sessionId: string, question: Question, name?: string) =>
      engineOf(holdpoint).answer({ userId, ...(name !== undefined && { name }) }, sessionId, message(question, name)),
  }
}
