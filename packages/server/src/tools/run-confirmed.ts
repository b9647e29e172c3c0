import { stepsOf } from '../engine/api/call-steps.ts'
import { InteractionRefused } from '../engine/api/interaction-refused.ts'
import type { ToolContext } from '../engine/api/tool-context.ts'
import type { Confirmed } from './confirm-before.ts'
import { hunksOf } from './hunks.ts'
import type { Effects, PolicyContext, Review, ToolPolicy } from './policy.ts'
import { declinedBy, runEffect } from './run-effect.ts'

type Execute<Input, Result> = (input: Input, ctx: PolicyContext) => Result | Promise<Result>

/** Runs an allowed call, and asks about its result if the mode requires it. */
export async function runConfirmed<Input, Result>(
  execute: Execute<Input, Result>,
  policy: ToolPolicy<Input, Result>,
  { input, confirmation }: Confirmed<Input>,
  ctx: ToolContext,
): Promise<unknown> {
  // Journaled, because a re-run for a later step must not do the work again.
  const result = await ctx.once('policy: execute', ({ idempotencyKey }) =>
    execute(input, { ...ctx, interaction: ctx.interaction, confirmation, idempotencyKey }),
  )
  if (confirmation.mode !== 'confirm_after_execution') return result
  const review = (await policy.review?.(result, input)) ?? {}
  const update = { status: 'awaiting_confirmation', output: result }
  await stepsOf(ctx).stage('policy: review', { update })
  try {
    return await reviewed(policy.effects ?? {}, review, { input, ctx, result })
  } catch (error) {
    throw await declinedBy(error, policy.effects, { input, ctx, result: { value: result } })
  }
}

async function reviewed<Input, Result>(
  effects: Effects<Input, Result>,
  review: Review,
  about: { input: Input; ctx: ToolContext; result: Result },
): Promise<unknown> {
  const { ctx, result } = about
  const { connected, confirmed, partial } = effects
  if (review.integrations) {
    const accounts = await ctx.connect({ key: 'policy: review', ...review })
    return connected ? await runEffect('connected', about, (info) => connected(result, { ...info, accounts })) : result
  }
  const {
    diff = review.diff ?? [],
    diffDecisions,
    reason,
  } = await ctx.approve({
    prompt: `Keep what ${ctx.toolName} did?`,
    scopes: ['once'],
    // An approval of one result does not cover the next one, unless the tool sets `rememberAs`.
    rememberAs: ['review', ctx.runId, ctx.toolCallId],
    ...review,
  })
  const { accepted, rejected } = hunksOf(diff, diffDecisions)
  if (rejected.length === 0) {
    return confirmed ? await runEffect('confirmed', about, (info) => confirmed(result, info)) : result
  }
  if (accepted.length > 0 && partial) {
    return await runEffect('partial', about, (info) => partial(result, { ...info, accepted, rejected }))
  }
  throw new InteractionRefused('declined', reason === undefined ? {} : { reason })
}
