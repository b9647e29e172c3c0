import type { Holdpoint, Tool } from '@holdpoint/server'
import { holdpointTool } from '@holdpoint/server/ai-sdk'
import { withPolicy } from '@holdpoint/server/tools'
import { expect, expectTypeOf, test } from 'vitest'
import { z } from 'zod'
import type { PolicyContext } from '../../src/tools/policy.ts'

declare const holdpoint: Holdpoint

test('the public types accept valid calls and reject invalid ones', () => {
  // Only compiled: `tsc` is what runs this.
  const compiled = () => {
    const input = z.object({ path: z.string(), times: z.number() })
    const plain = holdpoint.tool(
      withPolicy(
        {
          name: 'edit',
          input,
          execute: async ({ path }, ctx) => {
            expectTypeOf(ctx).toEqualTypeOf<PolicyContext>()
            expectTypeOf(path).toEqualTypeOf<string>()
            return { lines: 3 }
          },
        },
        {
          mode: 'confirm_after_execution',
          modeFrom: ({ times }) => (times > 1 ? 'confirm_before_execution' : undefined),
          choices: { all: 'auto', some: ({ path }) => (path === 'a' ? 'auto' : undefined) },
          effects: {
            confirmed: (result, { input }) => {
              expectTypeOf(result).toEqualTypeOf<{ lines: number }>()
              expectTypeOf(input).toEqualTypeOf<{ path: string; times: number }>()
              return { applied: true }
            },
            partial: async (_result, { accepted }) => ({ some: accepted.length }),
          },
        },
      ),
    )
    expectTypeOf(plain).toEqualTypeOf<
      Tool<{ path: string; times: number }, { lines: number } | { applied: boolean } | { some: number }>
    >()
    // @ts-expect-error no such mode
    withPolicy({ name: 'x', input, execute: () => 1 }, { mode: 'automatic' })
    // @ts-expect-error no such mode for a choice
    withPolicy({ name: 'x', input, execute: () => 1 }, { choices: { all: 'yes' } })
    // @ts-expect-error the input has no such field
    withPolicy({ name: 'x', input, execute: () => 1 }, { pending: ({ paths }) => paths })

    const ai = holdpointTool(
      withPolicy({ inputSchema: input, execute: ({ times }) => times }, { mode: 'confirm_before_execution' }),
    )
    expectTypeOf(ai.execute).not.toBeNever()
    void holdpoint.toolSettings.set({ userId: 'ada', toolName: 'edit', choice: 'all' })
    // @ts-expect-error whose?
    void holdpoint.toolSettings.set({ toolName: 'edit', choice: 'all' })
  }
  expect(compiled).toBeTypeOf('function')
})
