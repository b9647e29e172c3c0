import { testHuman } from '@holdpoint/server/testing'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { ADA, call, open, person, stores } from './support/world.ts'

/** Defenses that only show at the edge of what usually happens. */
describe.each(stores)('%s', (_name, makeStore) => {
  test('a first call that only reads a tool setting opens the store', async () => {
    const holdpoint = open({ store: makeStore() })
    expect(await holdpoint.session('chat', ADA).toolCall(call()).toolSetting()).toBeNull()
  })

  test('a reprompt after an answer is awaited: the call does not count as running meanwhile', async () => {
    const holdpoint = open({ store: makeStore() })
    const human = testHuman(holdpoint, ADA)
    const asking = holdpoint.tool({
      name: 'asking',
      input: z.object({}),
      execute: (_input, ctx) =>
        ctx.requestInteraction({
          type: 'input',
          inputSchema: { type: 'form', fields: [{ id: 'code', type: 'text', label: 'Code', required: true }] },
          onResponse: ({ input }) =>
            input?.code === '1234' ? { complete: input.code } : { reprompt: { error: 'Another one.' } },
        }),
    })
    const running = holdpoint.session('chat', ADA).runTool(asking, {}, { runId: 'r', toolCallId: 'c' })
    await human.fill(await human.next(), { code: '1' })
    const again = await human.next()
    const { interactions } = await person(holdpoint).snapshot()
    expect(interactions).toHaveLength(2)
    for (const one of interactions) expect(one).not.toHaveProperty('running')
    await human.fill(again, { code: '1234' })
    expect(await running).toMatchObject({ status: 'completed', result: '1234' })
  })
})
