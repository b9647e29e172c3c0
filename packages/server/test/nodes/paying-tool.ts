import type { Holdpoint } from '@holdpoint/server'
import { z } from 'zod'

/** A tool that asks in `before`, and pays the amount that was approved. It notes each payment. */
export function payingTool(holdpoint: Holdpoint, note: (effect: string) => void) {
  return holdpoint.tool({
    name: 'pay',
    input: z.object({ mark: z.string(), amount: z.number() }),
    before: async ({ mark, amount }, ctx) =>
      await ctx.approve({ prompt: `Pay ${amount}?`, args: { mark, amount }, editable: true }),
    execute: async (_input, { before, once }) => {
      const { mark, amount } = before.args
      return await once('pay', ({ idempotencyKey }) => {
        note(`paid ${mark} ${amount} ${idempotencyKey}`)
        return amount
      })
    },
  })
}
