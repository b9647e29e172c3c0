import { expect, test } from 'vitest'
import { request } from '../../test/support/log.ts'
import type { SendResult, Transport } from '../transport/types.ts'
import { createHoldpointClient } from './create-client.ts'

/** A client whose messages fail until the test allows them. */
function offline() {
  const sent: unknown[] = []
  let answer: SendResult = { status: 501, body: { error: { code: 'unavailable', message: 'Not now.' } } }
  const transport = {
    name: 'test',
    connect: () => () => {},
    async send(_: unknown, message: unknown): Promise<SendResult> {
      sent.push(message)
      return answer
    },
    snapshot: async () => ({ status: 404, body: {} }),
    request: async () => ({ status: 404, body: {} }),
  } as unknown as Transport
  const initial = { events: [{ cursor: 'e1.1.t', event: request('i1') }] }
  const client = createHoldpointClient({ sessionId: 'task-42', transport, autoConnect: false, initial })
  return { client, sent, heal: () => (answer = { status: 200, body: { status: 'accepted' } }) }
}

test('a discarded answer is not sent again, and another answer takes its place', async () => {
  const { client, sent, heal } = offline()
  expect(await client.respond('i1', { action: 'deny' })).toMatchObject({ status: 'not_sent' })
  client.discard('i1')
  expect(client.getSnapshot().interactions.get('i1')).toMatchObject({ status: 'pending', problem: undefined })
  heal()
  expect(await client.respond('i1', { action: 'approve' })).toEqual({ status: 'accepted' })
  expect(sent).toMatchObject([{ action: 'deny' }, { action: 'approve' }])
  expect(client.getSnapshot().interactions.get('i1')).toMatchObject({ status: 'answered' })
})

test('an answer that is being sent cannot be discarded', async () => {
  const { client, heal } = offline()
  heal()
  const sending = client.respond('i1', { action: 'deny' })
  client.discard('i1')
  expect(client.getSnapshot().interactions.get('i1')).toMatchObject({ status: 'submitting' })
  expect(await sending).toEqual({ status: 'accepted' })
})
