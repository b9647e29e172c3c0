import { expect, test } from 'vitest'
import { closed, request, response, run } from '../../test/support/log.ts'
import { settle, virtualEnvironment } from '../../test/support/virtual-environment.ts'
import { createHoldpointClient } from '../client/create-client.ts'
import type { HoldpointEvent } from '../protocol/events.ts'
import { sessionSnapshot } from '../protocol/snapshot.ts'

import { memoryTransport } from '../transport/memory.ts'
import { recordedPeer } from './recorded-peer.ts'

async function start(events: HoldpointEvent[] = [], clients = 1) {
  const world = virtualEnvironment()
  const peer = recordedPeer({ sessionId: 'task-42', events, now: world.env.now })
  const all = Array.from({ length: clients }, (_, i) => {
    const ids = { sessionId: 'task-42', clientId: `tab-${i + 1}` }
    const client = createHoldpointClient({ ...ids, transport: memoryTransport(peer), environment: world.env })
    client.subscribe(() => {})
    return client
  })
  await settle()
  return { peer, world, clients: all, client: all[0]! }
}

test('a recorded session is shown, grows, and can be answered', async () => {
  const { peer, client } = await start([run('run-1', 'running'), request('i1'), response('i1'), request('i2')])
  expect(client.getSnapshot()).toMatchObject({
    pendingIds: ['i2'],
    you: { userId: 'ada' },
    connection: { status: 'open' },
  })
  peer.emit(request('i3'))
  expect(client.getSnapshot().pendingIds).toEqual(['i2', 'i3'])
  expect(await client.respond('i3', { action: 'approve', approvalScope: 'session' })).toMatchObject({
    status: 'accepted',
  })
  expect(client.getSnapshot().interactions.get('i3')).toMatchObject({ status: 'answered', answeredHere: true })
  expect(peer.log.at(-1)).toMatchObject({
    type: 'interaction_response',
    approvalScope: 'session',
    sessionId: 'task-42',
  })
})

test('of two clients one wins, and the peer follows the protocol', async () => {
  const { peer, clients } = await start([request('i1')], 2)
  const results = await Promise.all(clients.map((client) => client.respond('i1', { action: 'deny' })))
  expect(results.map(({ status }) => status)).toEqual(['accepted', 'already_answered'])
  expect(peer.log.filter(({ type }) => type === 'interaction_response')).toHaveLength(1)
  peer.emit(request('i2'), closed('i2', 'expired'))
  const { body } = await peer.call({
    sessionId: 'task-42',
    clientId: 'tab-1',
    method: 'GET',
    path: '/sessions/task-42',
  })
  expect(sessionSnapshot.parse(body).interactions).toHaveLength(2)
})

test('a reader resumes after its cursor, and is reset if the recording was replaced', async () => {
  const { peer } = await start([request('i1'), request('i2')])
  const heard = (cursor: string | null) => {
    const lines: string[] = []
    const sink = {
      open: () => lines.push('open'),
      events: (batch: readonly { cursor: string }[]) => lines.push(...batch.map((one) => one.cursor)),
      reset: (reason: string) => lines.push(`reset ${reason}`),
      alive() {},
      end() {},
    }
    peer.subscribe({ sessionId: 'task-42', clientId: 'x', cursor }, sink)()
    return lines
  }
  const [, first = '', second = ''] = heard(null)
  expect(heard(first)).toEqual(['open', second])
  expect(heard(second)).toEqual(['open'])
  expect(heard('recorded.9.t')).toEqual(['open', 'reset ahead'])
  expect(heard('other.1.t')).toEqual(['open', 'reset ahead'])
})
