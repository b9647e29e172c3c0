import { appendFileSync } from 'node:fs'
import { flushCompileCache } from 'node:module'
import { shownDigest } from '@holdpoint/core/wire'
import { createHoldpoint, type ToolContext } from '@holdpoint/server'
import { sqliteStore } from '@holdpoint/server/sqlite'
import { z } from 'zod'
import { engineOf } from '../../../src/http/mounted.ts'
import { type FromChild, type KillSetup, kindOf, sessionOf, type ToChild } from './messages.ts'

// A process that is killed writes no compile cache when it ends.
flushCompileCache()

/** Does tasks that ask a person, until it is killed. */
const { path, journal, tasks, leaseMs }: KillSetup = JSON.parse(process.argv[2] ?? '{}')
const note = (...words: unknown[]) => appendFileSync(journal, `${words.join(' ')}\n`)
const say = (message: FromChild) => void process.send?.(message)
const ADA = { userId: 'ada' }
const HOUR_MS = 3_600_000

const holdpoint = createHoldpoint({
  store: sqliteStore({ path, pollMs: 5 }),
  timing: { leaseMs, orphanAfterMs: HOUR_MS },
  hooks: {
    onToolResult: ({ toolCallId, deliveryId, result }) =>
      note('delivered', toolCallId, deliveryId, JSON.stringify(result)),
    onFollowUp: ({ toolCallId, deliveryId }) => note('follow-up', toolCallId, deliveryId),
    onAsked: ({ interactionId, deliveryId }) => note('asked', interactionId, deliveryId),
    onSettled: ({ interactionId, deliveryId }) => note('settled', interactionId, deliveryId),
  },
})
const input = z.object({ task: z.number() })
const ask = ({ task }: { task: number }, ctx: ToolContext) =>
  ctx.tryApprove({ prompt: `Task ${task}?`, timeoutMs: HOUR_MS }).then(({ outcome }) => outcome)
const effect = ({ task }: { task: number }, ctx: ToolContext, outcome: string) =>
  ctx.once('effect', ({ idempotencyKey }) => {
    note('effect', `call-${task}`, idempotencyKey)
    return outcome
  })
const works = [
  holdpoint.tool({ name: 'work', input, execute: async (given, ctx) => effect(given, ctx, await ask(given, ctx)) }),
  holdpoint.tool({
    ...{ name: 'asks before', input, before: ask },
    execute: (given, ctx) => effect(given, ctx, ctx.before),
  }),
] as const

function begin(task: number): Promise<unknown> {
  const session = holdpoint.session(sessionOf(task), ADA)
  const call = { runId: `run-${task}`, toolCallId: `call-${task}` }
  if (kindOf(task) !== 'bare') {
    return session.runTool(works[task % 2 ? 1 : 0], { task }, call).then((ran) => 'result' in ran && ran.result)
  }
  return session.toolCall({ ...call, toolName: 'bare' }).requestInteraction({
    type: 'approval',
    prompt: `Task ${task}?`,
    whenUnavailable: 'wait',
    timeoutMs: HOUR_MS,
    onResponse: ({ action }, { attempt, idempotencyKey }) => {
      note('handled', `call-${task}`, idempotencyKey)
      return attempt === 1
        ? { reprompt: { error: 'Really?' } }
        : { complete: action === 'deny' ? 'denied' : 'approved' }
    },
  })
}

process.on('message', ({ question, action }: ToChild) => {
  const { interactionId, toolCallId, sessionId, shownDigest } = question
  const answer = {
    type: 'tool_interaction_response' as const,
    clientId: 'tab',
    callId: toolCallId,
    interactionId,
    answerId: `a-${interactionId}`,
    action,
    shownDigest,
  }
  void engineOf(holdpoint)
    .answer(ADA, sessionId, answer)
    .then(({ status }) => say({ type: 'ack', interactionId, status }))
    .catch(() => {})
})
process.on('disconnect', () => process.exit())

await holdpoint.recover()
say({ type: 'ready' })
for (const task of tasks) {
  void begin(task).then(
    (result) => note('promised', `call-${task}`, JSON.stringify(result)),
    (error: { code?: string }) => note('refused', `call-${task}`, error.code),
  )
}
for (const told = new Set<string>(); ; ) {
  const { items } = await engineOf(holdpoint).inbox(ADA, {})
  for (const { sessionId, interaction } of items) {
    const { interactionId, toolCallId } = interaction.request as unknown as {
      interactionId: string
      toolCallId: string
    }
    if (told.has(interactionId)) continue
    told.add(interactionId)
    const digest = shownDigest(interaction.request as never)
    say({ type: 'asked', question: { interactionId, toolCallId, sessionId, shownDigest: digest } })
  }
  await new Promise((resolve) => setTimeout(resolve, 5))
}
