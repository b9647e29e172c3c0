import { createHoldpointClient } from '@holdpoint/core'
import type { Approved } from '@holdpoint/server'
import { localTransport } from '@holdpoint/server'
import { memoryStore } from '@holdpoint/server/memory'
import type { Store } from '@holdpoint/server/store'
import { describe, expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { checkHistory } from '../engine/support/check-history.ts'
import { ADA, call, open, person } from '../engine/support/world.ts'
import { openStore } from './open-store.ts'
import { onStores } from './places.ts'

/** The node that takes an answer does not know the schema of the node that waits. The record still has what runs. */
const schema = z.object({ files: z.array(z.string()), dry: z.boolean().default(true) })
const asked = { files: ['a'], dry: false }
const argsOf = (item: { response?: object | undefined } | undefined) =>
  (item?.response as { args?: unknown } | undefined)?.args

describe('memory', () => {
  // The other node must not close it.
  tests(() => {
    const shared = memoryStore()
    return () => ({ ...shared, close: async () => {} })
  })
})

await onStores('recorded', ['sqlite', 'postgres', 'redis'], (world) =>
  tests(() => {
    const { store } = world()
    return () => openStore(store)
  }),
)

function tests(newStore: () => () => Store): void {
  function twoNodes() {
    const opened = newStore()
    const [waits, takes] = [open({ store: opened() }), open({ store: opened() })]
    const session = waits.session('chat', ADA)
    const client = createHoldpointClient({ sessionId: 'chat', transport: localTransport(takes, ADA) })
    onTestFinished(() => client.close())
    const ask = (toolCallId: string) =>
      session.toolCall(call(toolCallId)).approve({ prompt: 'Delete?', args: asked, editable: true, schema })
    /** Answers on the other node, and returns what ran with what was recorded of it. */
    async function edit(toolCallId: string, args: unknown) {
      const running: Promise<Approved<unknown>> = ask(toolCallId)
      const ada = person(takes)
      const question = await ada.next()
      expect(await ada.answer(question, { action: 'approve', args })).toMatchObject({ status: 200 })
      const { interactionId } = question
      const approved = await running
      const snapshot = (await ada.snapshot()).interactions.find(
        ({ request }) => request.interactionId === interactionId,
      )
      const log = (await ada.events()).filter((event) => event.interactionId === interactionId)
      return { approved, interactionId, snapshot, log }
    }
    return { waits, takes, client, edit }
  }

  test('arguments that are edited through another node are recorded as they run [HP-SHN-6]', async () => {
    const { edit, takes, client } = twoNodes()
    client.connect()
    const { approved, interactionId, snapshot, log } = await edit('c1', { files: ['b'], force: true })
    const ran = { files: ['b'], dry: true }
    expect(approved).toMatchObject({ args: ran, edited: true })
    expect(approved.args).toStrictEqual(ran)
    expect(argsOf(snapshot)).toStrictEqual(ran)
    // The log corrects itself before the tool continues, and every client applies the correction.
    expect(log.map(({ type, args }) => [type, args])).toEqual([
      ['interaction_request', asked],
      ['interaction_response', { files: ['b'], force: true }],
      ['interaction_updated', ran],
    ])
    const shown = () => client.getSnapshot().interactions.get(interactionId)?.response?.args
    await new Promise<void>((resolve) => {
      const look = () => JSON.stringify(shown()) === JSON.stringify(ran) && resolve()
      client.subscribe(look)
      look()
    })
    await checkHistory(takes, [{ interactionId, answerId: '', action: 'approve' }])
  })

  test('an edit that the schema reverts is recorded as not edited', async () => {
    const { edit } = twoNodes()
    const { approved, snapshot } = await edit('c1', { ...asked, force: true })
    expect(approved).toMatchObject({ args: asked, edited: false })
    expect(argsOf(snapshot)).toStrictEqual(asked)
  })

  test('50 edits at once through the other node are all recorded as they run', async () => {
    const { waits, takes } = twoNodes()
    const session = waits.session('chat', ADA)
    const running = Array.from({ length: 50 }, (_, n) =>
      session.toolCall(call(`c${n}`)).approve({ prompt: `${n}?`, args: asked, editable: true, schema }),
    )
    const ada = person(takes)
    const questions = await ada.pending(50)
    await Promise.all(
      questions.map((question, n) =>
        ada.answer(question, { action: 'approve', args: { files: [`${n}`], ...(n % 2 && { force: n }) } }),
      ),
    )
    const ran = new Set((await Promise.all(running)).map(({ args }) => JSON.stringify(args)))
    const { interactions } = await ada.snapshot()
    const recorded = new Set(interactions.map((item) => JSON.stringify(argsOf(item))))
    expect(recorded).toEqual(ran)
    expect(recorded.size).toBe(50)
  })
}
