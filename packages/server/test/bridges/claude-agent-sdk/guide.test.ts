import { readFileSync } from 'node:fs'
import { ClaudeStandIn } from '@holdpoint/conformance/claude-stand-in'
import { createHoldpoint } from '@holdpoint/server'
import { memoryStore } from '@holdpoint/server/memory'
import { testHuman } from '@holdpoint/server/testing'
import { expect, onTestFinished, test, vi } from 'vitest'
import { turn } from '../../../../../examples/agents/src/claude.ts'

const read = (path: string) => readFileSync(new URL(`../../../../../${path}`, import.meta.url), 'utf8')

test('the guide shows the code of the example', () => {
  const code = read('examples/agents/src/claude.ts')
  expect(read('docs/claude-agent-sdk.md')).toContain(`\`\`\`ts runnable\n// claude.ts\n${code}\`\`\``)
})

test('the code of the guide ends at a question, and onSettled resumes it', async () => {
  const ran: unknown[] = []
  const calls = [{ id: 'toolu_1', name: 'Bash', input: { command: 'rm a.txt' } }]
  const options = () => ({
    spawnClaudeCodeProcess: new ClaudeStandIn({ calls, run: ({ input }) => ran.push(input) }).spawn,
    ...{ pathToClaudeCodeExecutable: 'stand-in', settingSources: [] },
  })
  const results: unknown[] = []
  const holdpoint = createHoldpoint({
    store: memoryStore(),
    hooks: { onSettled: async (notice) => void results.push(await turn(holdpoint, notice, undefined, options())) },
  })
  onTestFinished(() => holdpoint.close())
  const owner = { sessionId: 'chat-1', userId: 'ada', runId: 'message-1' }
  expect(await turn(holdpoint, owner, 'Clean up the folder', options())).toBeUndefined()
  const human = testHuman(holdpoint, { userId: 'ada' })
  await human.approve(await human.next())
  await vi.waitFor(() => expect(results).toEqual(['done']))
  expect(ran).toEqual([{ command: 'rm a.txt' }])
})
