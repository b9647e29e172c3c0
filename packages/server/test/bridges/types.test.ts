import type { Holdpoint, Session } from '@holdpoint/server'
import {
  type AiSdk,
  aiSdk,
  holdpointTool,
  isToolNotRun,
  registerTools,
  type ToolNotRun,
} from '@holdpoint/server/ai-sdk'
import { type Tool, tool, type UIMessage } from 'ai'
import { expect, expectTypeOf, test } from 'vitest'
import { z } from 'zod'

declare const holdpoint: Holdpoint
declare const messages: UIMessage<{ at: number }>[]

test('the public types of the bridge accept valid calls and reject invalid ones', () => {
  // Only compiled: `tsc` is what runs this.
  const compiled = () => {
    const hp = aiSdk(holdpoint, { sessionId: 's', userId: 'u', messages, mode: 'suspend' })
    expectTypeOf(hp).toEqualTypeOf<AiSdk>()
    expectTypeOf(hp.session).toEqualTypeOf<Session>()
    expectTypeOf(hp.declineWaiting()).resolves.toEqualTypeOf<UIMessage[]>()
    // @ts-expect-error the way of waiting is chosen, not guessed
    aiSdk(holdpoint, { sessionId: 's', userId: 'u', messages })
    // @ts-expect-error whose session it is
    aiSdk(holdpoint, { sessionId: 's', messages, mode: 'inline' })
    // @ts-expect-error no such way
    aiSdk(holdpoint, { sessionId: 's', userId: 'u', messages, mode: 'later' })

    const mail = holdpointTool({
      inputSchema: z.object({ text: z.string() }),
      approve: ({ text }) => text.length > 9 && { prompt: `Send ${text}?`, scopes: ['once'] },
      before: (_input, ctx) => ctx.ask({ prompt: 'Where to?', schema: z.object({ to: z.email() }) }),
      execute: ({ text }, { before, ai, once }) => {
        expectTypeOf(before).toEqualTypeOf<{ to: string }>()
        expectTypeOf(ai.toolCallId).toEqualTypeOf<string>()
        expectTypeOf(once).toBeFunction()
        return { sent: text }
      },
    })
    expectTypeOf(mail).toEqualTypeOf<Tool<{ text: string }, { sent: string } | ToolNotRun>>()
    holdpointTool({
      inputSchema: z.object({ text: z.string() }),
      // @ts-expect-error its input has no such field
      approve: ({ words }) => ({ prompt: words }),
      execute: () => 1,
    })
    // @ts-expect-error no such scope
    holdpointTool({ inputSchema: z.object({}), approve: () => ({ scopes: ['forever'] }), execute: () => 1 })

    const own = tool({ inputSchema: z.object({ a: z.int() }), execute: ({ a }) => a + 1 })
    const wrapped = hp.tools({ mail, own })
    expectTypeOf(wrapped.own).toEqualTypeOf<typeof own>()
    expectTypeOf(wrapped.mail).toEqualTypeOf<typeof mail>()
    registerTools(holdpoint, { mail, own })

    const output: unknown = undefined
    if (isToolNotRun(output)) expectTypeOf(output).toEqualTypeOf<ToolNotRun>()
  }
  expect(compiled).toBeTypeOf('function')
})
