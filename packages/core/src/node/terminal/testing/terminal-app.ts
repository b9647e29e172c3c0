import { createHoldpointClient } from '../../../client/create-client.ts'
import type { HoldpointEvent } from '../../../protocol/events.ts'

import { recordedPeer } from '../../../testing/recorded-peer.ts'
import { memoryTransport } from '../../../transport/memory.ts'
import { answerInTerminal } from '../answer-in-terminal.ts'
import { question } from './question.ts'

/** Asks one question after the other on the terminal it was started in. SIGUSR2 withdraws the open one. */
async function main(): Promise<void> {
  const peer = recordedPeer({ sessionId: 's', events: [question('first', { prompt: 'Delete one file?' })] })
  const client = createHoldpointClient({ sessionId: 's', transport: memoryTransport(peer) })
  let asked = false
  const answered = new Set<string>()
  client.subscribe(() => {
    for (const event of peer.log) {
      if (event.type !== 'interaction_response' || answered.has(String(event.interactionId))) continue
      answered.add(String(event.interactionId))
      process.stdout.write(`<answered ${event.interactionId} ${event.action}>\n`)
      if (!asked) askSecond()
    }
  })

  function askSecond(...before: HoldpointEvent[]) {
    asked = true
    peer.emit(...before, question('second', { prompt: 'Delete everything?' }))
  }

  process.on('SIGUSR2', () => askSecond({ type: 'interaction_closed', interactionId: 'first', reason: 'cancelled' }))
  process.stdout.write(`<pid ${process.pid}>\n`)
  await answerInTerminal({ client })
}

await main()
