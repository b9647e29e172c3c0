import assert from 'node:assert/strict'
import { agent } from '@agentclientprotocol/sdk'
import { createHoldpoint } from '@holdpoint/server'
import { memoryStore } from '@holdpoint/server/memory'
import { testHuman } from '@holdpoint/server/testing'
import { promptTurn } from './acp.ts'

const chosen: unknown[] = []
const coder = agent({ name: 'coder' })
  .onRequest('initialize', () => ({ protocolVersion: 1, agentCapabilities: {} }))
  .onRequest('session/new', () => ({ sessionId: 's' }))
  .onRequest('session/prompt', async ({ client }) => {
    const toolCall = { toolCallId: 'call-1', title: 'Delete a.txt', rawInput: { file: 'a.txt' } }
    const options = [{ optionId: 'yes', kind: 'allow_once' as const, name: 'Yes' }]
    const { outcome } = await client.request('session/request_permission', { sessionId: 's', toolCall, options })
    chosen.push(outcome)
    return { stopReason: 'end_turn' as const }
  })
const holdpoint = createHoldpoint({ store: memoryStore() })
const owner = { sessionId: 'chat-1', userId: 'ada', runId: 'turn-1' }
const going = promptTurn(holdpoint, owner, coder, 'Clean up')
const ada = testHuman(holdpoint, owner)
await ada.approve(await ada.next())
assert.equal(await going, 'end_turn')
assert.deepEqual(chosen, [{ outcome: 'selected', optionId: 'yes' }])
process.exit()
