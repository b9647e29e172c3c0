import type { Holdpoint } from '@holdpoint/server'
import { withPolicy } from '@holdpoint/server/tools'
import { z } from 'zod'

/** An effect outside of the store, with the key that prevents its repetition. */
export type Effect = [what: string, key: string]

const hunk = (id: string) => ({ id, oldStart: 1, newStart: 1, lines: ['-old', '+new'] })

/** A tool that proposes changes to a file, and makes them when they are confirmed. */
export function editTool(holdpoint: Holdpoint, effects: Effect[]) {
  return holdpoint.tool(
    withPolicy(
      {
        name: 'edit_file',
        input: z.object({ path: z.string() }),
        execute: ({ path }, ctx) => {
          effects.push(['proposed', ctx.idempotencyKey])
          return { diff: [{ path, hunks: [hunk('h1'), hunk('h2')] }] }
        },
      },
      {
        mode: 'confirm_after_execution',
        review: ({ diff }) => ({ prompt: 'Apply these changes?', diff }),
        effects: {
          confirmed: (_result, { idempotencyKey }) => {
            effects.push(['applied', idempotencyKey])
            return { applied: ['h1', 'h2'] }
          },
          partial: (_result, { accepted, rejected, idempotencyKey }) => {
            effects.push(['applied in part', idempotencyKey])
            return { applied: accepted, left: rejected }
          },
          declined: ({ outcome, reason, result, idempotencyKey }) => {
            effects.push(['reverted', idempotencyKey])
            return { reverted: result?.diff[0]?.path, outcome, ...(reason !== undefined && { reason }) }
          },
        },
      },
    ),
  )
}
