/** A program with a real terminal: asks for a password and a name, and prints the result. */

import { createHoldpointClient } from '../../src/index.ts'
import { answerInTerminal } from '../../src/node/index.ts'
import { recordedPeer } from '../../src/testing/recorded-peer.ts'
import { memoryTransport } from '../../src/transport/memory.ts'

const field = (id: string, type: string) => ({ id, type, label: `Your ${id}`, required: true })
const peer = recordedPeer({
  sessionId: 's',
  events: [
    {
      type: 'interaction_request',
      interactionId: 'i',
      toolCallId: 'c',
      toolName: 'login',
      interactionType: 'input',
      inputSchema: { type: 'form', fields: [field('name', 'text'), field('password', 'secret')] },
      timeoutMs: 1e6,
      expiresAt: '2099-01-01T00:00:00.000Z',
      attempt: 1,
    },
  ],
})
const client = createHoldpointClient({ sessionId: 's', transport: memoryTransport(peer) })
client.onEvent((event) => {
  if (event.type !== 'interaction_response') return
  const { name, password } = (event as unknown as { input: Record<string, string> }).input
  process.stdout.write(`\nGOT ${name} ${password?.length}\n`)
})
process.once('SIGINT', () => {
  process.stdout.write('\nENDED by SIGINT\n')
  client.close()
})
await answerInTerminal({ client })
