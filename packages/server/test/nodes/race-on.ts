import { shownDigest } from '@holdpoint/core/wire'
import type { Holdpoint } from '@holdpoint/server'
import { engineOf } from '../../src/http/mounted.ts'
import type { Command, Question, Raced } from './commands.ts'

/** One node's part in a race: it asks many questions at once, or answers many in an order of its own. */
export function raceOn(holdpoint: Holdpoint, node: string, note: (effect: string) => void) {
  return {
    /** Resolves when all of them can be answered. Each reports when its code continues. */
    async ask(sessionId: string, callIds: string[]): Promise<Question[]> {
      const session = holdpoint.session(sessionId, { userId: 'ada' })
      for (const callId of callIds) {
        const call = session.toolCall({ runId: 'r', toolCallId: callId, toolName: 'race' })
        void call.approve({ prompt: 'Go?' }).then(() => note(`resumed ${callId}`))
      }
      const wanted = new Set(callIds)
      for (;;) {
        const record = await engineOf(holdpoint).access({ userId: 'ada' }, sessionId, 'read')
        const { interactions = [] } = record ? await engineOf(holdpoint).snapshot({ userId: 'ada' }, record) : {}
        const open = interactions.flatMap(({ request }) =>
          'interactionId' in request && wanted.has(String(request.toolCallId))
            ? [
                {
                  callId: String(request.toolCallId),
                  interactionId: String(request.interactionId),
                  shown: shownDigest(request as never),
                },
              ]
            : [],
        )
        if (open.length === callIds.length) return open
        await new Promise((resolve) => setTimeout(resolve, 5))
      }
    },

    /** All at once. */
    async answer({ sessionId, questions, answers, seed }: Extract<Command, { type: 'race' }>): Promise<Raced[]> {
      const random = generator(seed)
      const tries = questions.flatMap((question) => Array.from({ length: answers }, (_, n) => ({ question, n })))
      const order = tries.map((one) => ({ ...one, at: random() })).sort((a, b) => a.at - b.at)
      return await Promise.all(
        order.map(async ({ question: { callId, interactionId, shown }, n }): Promise<Raced> => {
          const by = `${node}${n}`
          const reply = await engineOf(holdpoint).answer({ userId: 'ada', name: by }, sessionId, {
            type: 'tool_interaction_response',
            clientId: by,
            callId,
            interactionId,
            answerId: crypto.randomUUID(),
            action: 'approve',
            shownDigest: shown,
          })
          const { error } = reply.body as { error?: { respondedBy?: { name?: string } } }
          return { interactionId, status: reply.status, by, winner: error ? (error.respondedBy?.name ?? '') : by }
        }),
      )
    },
  }
}

/** A small generator with a seed, so that the order of a failed run can be had again. */
function generator(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31
    return state / 2 ** 31
  }
}
