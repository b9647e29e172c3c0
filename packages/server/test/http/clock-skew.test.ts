import { createHoldpointClient, sse } from '@holdpoint/core'
import { createHoldpoint } from '@holdpoint/server'
import { memoryStore } from '@holdpoint/server/memory'
import { expect, onTestFinished, test } from 'vitest'

const TEN_MINUTES = 600_000

test.each([
  ['behind', TEN_MINUTES],
  ['ahead of', -TEN_MINUTES],
])(
  "the first question of a new session has its whole time on a node whose clock is ten minutes %s the store's [R6.4]",
  async (_where, offset) => {
    const holdpoint = createHoldpoint({
      store: memoryStore({ now: () => Date.now() + offset }),
      authenticate: () => ({ userId: 'ada' }),
    })
    const request: typeof fetch = (input, init) => holdpoint.fetch(new Request(input, init))
    const client = createHoldpointClient({
      sessionId: 'new',
      transport: sse({ url: 'http://localhost', fetch: request }),
    })
    onTestFinished(async () => {
      client.close()
      await holdpoint.close()
    })
    client.connect()
    const open = () => client.getSnapshot().connection.status
    await expect.poll(open).toBe('open')
    const context = holdpoint
      .session('new', { userId: 'ada' })
      .toolCall({ runId: 'run', toolCallId: 'call', toolName: 'tool' })
    context.tryApprove({ prompt: 'Delete?', timeoutMs: 120_000, whenUnavailable: 'wait' }).catch(() => {})
    await expect.poll(() => client.getSnapshot().pendingIds).toHaveLength(1)
    const { interactions, pendingIds, clockOffset } = client.getSnapshot()
    const { expiresAt = 0 } = interactions.get(pendingIds[0] ?? '') ?? {}
    const leftMs = expiresAt - (Date.now() + clockOffset)
    expect(Math.abs(leftMs - 120_000)).toBeLessThan(30_000)
  },
)
