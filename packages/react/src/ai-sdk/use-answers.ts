import type { UseChatHelpers } from '@ai-sdk/react'
import { type Interaction, type SessionState, selectToolCall } from '@holdpoint/core'
import type { UIMessage } from 'ai'
import { useEffect } from 'react'
import { useLatest } from '../base/use-latest.ts'
import { useHoldpointClient } from '../hooks/use-client.ts'
import { useSettings } from '../settings/context.ts'
import { type Decision, decisionOf } from './decision.ts'
import { lastStepOf } from './last-step.ts'
import { interactionOf, isWaiting } from './questions-of-parts.ts'

/** How long the page with the answer may take to continue before another page does. */
const GRACE_MS = 2_000

/** Writes the answers of the session into the parts of the chat that wait for them. */
export function useAnswers<Message extends UIMessage>(
  { messages, status, setMessages }: UseChatHelpers<Message>,
  onContinuedElsewhere: (() => void) | undefined,
): void {
  const client = useHoldpointClient()
  const { clock } = useSettings()
  const write = useLatest(setMessages)
  const elsewhere = useLatest(onContinuedElsewhere)
  useEffect(() => {
    const step = lastStepOf(messages)
    const waiting = step?.parts.filter(isWaiting) ?? []
    if (!step || waiting.length === 0 || status === 'streaming' || status === 'submitted') return
    const timers = new Map<string, unknown>()
    const bring = () => {
      const state = client.getSnapshot()
      for (const part of waiting) {
        const interaction = interactionOf(part, step.message, step.turn, state)
        const decision = interaction && decisionOf(interaction)
        const { id } = part.approval
        if (!decision || timers.has(id)) continue
        // Written without the SDK's function, because that function may send a request, and `useResume` sends it
        // already.
        const goOn = () => write()((now) => now.map((message) => withDecision(message, id, decision)))
        const late = () => {
          const notify = isTaken(interaction, client.getSnapshot()) ? elsewhere() : undefined
          if (notify) notify()
          else goOn()
        }
        const mine = interaction.answeredHere || !elsewhere()
        timers.set(id, mine ? goOn() : clock.setTimeout(late, GRACE_MS))
      }
    }
    bring()
    const unsubscribe = client.subscribe(bring)
    return () => {
      unsubscribe()
      for (const timer of timers.values()) clock.clearTimeout(timer)
    }
  }, [client, clock, messages, status, write, elsewhere])
}

/** True if a request has claimed the answer: the call runs, or has ended. */
function isTaken({ toolCallId, runId }: Interaction, state: SessionState): boolean {
  const status = selectToolCall(state, toolCallId, runId)?.status
  return status !== undefined && status !== 'unknown'
}

function withDecision<Message extends UIMessage>(message: Message, id: string, decision: Decision): Message {
  if (!message.parts.some((part) => isWaiting(part) && part.approval.id === id)) return message
  const parts = message.parts.map((part) =>
    isWaiting(part) && part.approval.id === id
      ? { ...part, state: 'approval-responded' as const, approval: { ...part.approval, ...decision } }
      : part,
  )
  return { ...message, parts }
}
