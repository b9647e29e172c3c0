import { readFileSync } from 'node:fs'
import { agent } from '@agentclientprotocol/sdk'
import { createHoldpoint } from '@holdpoint/server'
import { memoryStore } from '@holdpoint/server/memory'
import { testHuman } from '@holdpoint/server/testing'
import { expect, onTestFinished, test } from 'vitest'
import { promptTurn } from '../../../../../examples/agents/src/acp.ts'

const read = (path: string) => readFileSync(new URL(`../../../../../${path}`, import.meta.url), 'utf8')

test('the guide shows the code of the example', () => {
  const code = read('examples/agents/src/acp.ts')
  expect(read('docs/acp.md')).toContain(`\`\`\`ts runnable\n// acp.ts\n${code}\`\`\``)
})

test('the code of the guide runs a prompt turn, and the user allows it', async () => {
  const holdpoint = createHoldpoint({ store: memoryStore() })
  onTestFinished(() => holdpoint.close())
  const chosen: unknown[] = []
  const options = [{ optionId: 'yes', kind: 'allow_once' as const, name: 'Yes' }]
  const coder = agent({ name: 'coder' })
    .onRequest('initialize', () => ({ protocolVersion: 1, agentCapabilities: {} }))
    .onRequest('session/new', () => ({ sessionId: 's' }))
    .onRequest('session/prompt', async ({ client }) => {
      const toolCall = { toolCallId: 'call-1', title: 'Delete a.txt', rawInput: { file: 'a.txt' } }
      chosen.push(await client.request('session/request_permission', { sessionId: 's', toolCall, options }))
      return { stopReason: 'end_turn' as const }
    })
  const owner = { sessionId: 'chat-1', userId: 'ada', runId: 'turn-1' }
  const going = promptTurn(holdpoint, owner, coder, 'Clean up')
  const human = testHuman(holdpoint, owner)
  const question = await human.next()
  expect(question.prompt).toBe('Coding agent: Delete a.txt')
  await human.approve(question)
  expect(await going).toBe('end_turn')
  expect(chosen).toMatchObject([{ outcome: { outcome: 'selected', optionId: 'yes' } }])
})
