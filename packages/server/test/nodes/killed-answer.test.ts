import { createHoldpointClient, sse } from '@holdpoint/core'
import { expect, onTestFinished, test } from 'vitest'
import type { Moment } from './commands.ts'
import { startNode } from './node-process.ts'
import { onStores, until } from './places.ts'

const LEASE_MS = 1_500

await onStores('kill -9 while an answer is handled', ['sqlite', 'postgres', 'redis'], (world) => {
  test.each<Moment>(['before the commit', 'after the commit'])(
    'a node dies %s of an answer: the client sends it again, and there is one outcome [R3.4]',
    { timeout: 60_000 },
    async (dies) => {
      const { store, file, effects } = world()
      const setup = { store, leaseMs: LEASE_MS, effects: file }
      const first = await startNode({ ...setup, name: 'A', dies })
      const call = { runId: 'r', toolCallId: 'c', sessionId: 's', mark: 'c' }
      first.do({ type: 'run', tool: 'confirm', ...call }).catch(() => {})
      const client = createHoldpointClient({
        sessionId: 's',
        transport: sse({ url: first.url, headers: { authorization: 'Bearer ada' } }),
        maxRetryDelayMs: 100,
      })
      onTestFinished(() => client.close())
      client.connect()
      const found = () => [...client.getSnapshot().interactions.values()][0]
      await until(() => found()?.status === 'pending')
      const { interactionId } = found()!
      const sent = client.respond(interactionId, { action: 'approve' })
      await first.gone
      const port = Number(new URL(first.url).port)
      const second = await startNode({ ...setup, name: 'B', port })
      await until(() => found()?.status === 'answered')
      // The answer counts, and the page names its own client as the one that gave it.
      expect(['accepted', 'not_sent']).toContain((await sent).status)
      // Its acceptance may reach the page before the event with the answer.
      await expect.poll(found).toMatchObject({ answeredHere: true, response: { action: 'approve' } })
      expect(await client.respond(interactionId, { action: 'deny' })).toMatchObject({ status: 'already_answered' })
      await until(() => effects('delivered').length > 0)
      expect(effects('effect')).toEqual(['effect c B'])
      expect(effects('delivered')).toHaveLength(1)
      const log = await fetch(`${second.url}/sessions/s/events?wait=0`, {
        headers: { authorization: 'Bearer ada', accept: 'application/json' },
      })
      const { events } = (await log.json()) as { events: { type: string }[] }
      expect(events.filter(({ type }) => type === 'interaction_response')).toHaveLength(1)
    },
  )
})
