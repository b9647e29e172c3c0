import { InteractionRefused } from '../engine/api/interaction-refused.ts'
import type { ToolContext } from '../engine/api/tool-context.ts'
import type { EffectInfo, Effects } from './policy.ts'

/** Runs one effect of a call, only once over all re-runs of the call. */
export function runEffect<Input, T>(
  name: string,
  { input, ctx }: { input: Input; ctx: ToolContext },
  effect: (info: EffectInfo<Input>) => T | Promise<T>,
): Promise<T> {
  return ctx.once(`policy: ${name}`, ({ idempotencyKey, signal }) => effect({ input, ctx, idempotencyKey, signal }))
}

/**
 * Returns the rejection of a call without approval, with the output of its `declined` effect if it has one. A cancelled
 * run has no effects, and other errors are returned unchanged.
 */
export async function declinedBy<Input, Result>(
  error: unknown,
  effects: Effects<Input, Result> | undefined,
  about: { input: Input; ctx: ToolContext; result?: { value: Result } },
): Promise<unknown> {
  const declined = effects?.declined
  if (!(error instanceof InteractionRefused) || error.outcome === 'cancelled' || !declined) return error
  const { outcome, reason, interactionId } = error
  const said = { outcome, ...(reason !== undefined && { reason }), ...(about.result && { result: about.result.value }) }
  const output = await runEffect('declined', about, (info) => declined({ ...info, ...said }))
  return new InteractionRefused(outcome, {
    ...(reason !== undefined && { reason }),
    ...(interactionId !== undefined && { interactionId }),
    ...(output !== undefined && { output }),
  })
}
