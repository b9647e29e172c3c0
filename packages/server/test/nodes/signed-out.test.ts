import { createHoldpoint, type Holdpoint } from '@holdpoint/server'
import { toNodeHandler } from '@holdpoint/server/node'
import { attachWebSocket } from '@holdpoint/server/ws'
import { expect, onTestFinished, test } from 'vitest'
import { connectSocket } from '../channels/support/connect-socket.ts'
import { person } from '../engine/support/world.ts'
import { listen } from '../http/support/servers.ts'
import { openStore } from './open-store.ts'
import { onStores } from './places.ts'

const path = '/holdpoint/ws'

await onStores('signing out', ['sqlite', 'postgres', 'redis'], (world) => {
  async function twoNodes() {
    const { store } = world()
    const start = async () => {
      const holdpoint = createHoldpoint({
        store: openStore(store),
        authenticate: (request) => ({ userId: request.headers.get('authorization')?.slice(7) ?? '' }),
      })
      onTestFinished(() => holdpoint.close())
      const running = await listen(toNodeHandler(holdpoint))
      onTestFinished(() => running.stop())
      onTestFinished(attachWebSocket(running.server, holdpoint, { path }))
      return { holdpoint, url: running.url }
    }
    return [await start(), await start()] as const
  }
  const asks = (holdpoint: Holdpoint) =>
    holdpoint
      .session('s1', { userId: 'ada' })
      .toolCall({ runId: 'r', toolCallId: 'c', toolName: 'delete_files' })
      .tryApprove({ prompt: 'Delete?', timeoutMs: 60_000 })

  test('a revoked user loses the streams of every node that shares the store, and decides nothing there [N4.2]', async () => {
    const [here, there] = await twoNodes()
    void asks(here.holdpoint)
    const question = await person(there.holdpoint, 's1').next()
    const sockets = await Promise.all([connectSocket(here.url, 's1'), connectSocket(there.url, 's1')])
    await here.holdpoint.revoke({ userId: 'eve' })
    await here.holdpoint.revoke({ userId: 'ada' })
    expect(await Promise.all(sockets.map(({ closed }) => closed))).toEqual([4401, 4401])
    expect(await there.holdpoint.interactions.get({ interactionId: question.interactionId })).toMatchObject({
      status: 'open',
    })
  })
})
