import { createHoldpoint } from '@holdpoint/server'
import { memoryStore } from '@holdpoint/server/memory'
import { openAiAgents } from '@holdpoint/server/openai-agents'
import { testClock, testHuman } from '@holdpoint/server/testing'
import { Agent, hostedMcpTool, run } from '@openai/agents'
import { assistantMessage, modelResponder, ScriptedModel } from '@openai/agents/testing'
import { expect, onTestFinished, test } from 'vitest'
import './support.ts'

const OWNER = { sessionId: 'task-1', userId: 'ada', runId: 'run-1' }
const REQUEST = {
  type: 'hosted_tool_call' as const,
  id: 'mcpr_1',
  name: 'delete_repository',
  arguments: '{"name":"horoscope"}',
  status: 'in_progress' as const,
  providerData: {
    ...{ type: 'mcp_approval_request', id: 'mcpr_1', name: 'delete_repository', server_label: 'github' },
    arguments: '{"name":"horoscope"}',
  },
}

function place(clock?: ReturnType<typeof testClock>) {
  const holdpoint = createHoldpoint({
    store: memoryStore(clock && { now: clock.now }),
    ...(clock && { environment: clock.environment }),
    security: { vaultKeys: [{ id: 'k1', key: Buffer.alloc(32, 7).toString('base64') }] },
  })
  onTestFinished(() => holdpoint.close())
  /** Whether the provider was allowed to run its tool. */
  const sent: unknown[] = []
  async function turn(input?: string) {
    const model = new ScriptedModel(
      [1, 2].map(() =>
        modelResponder(({ request }) => {
          const items = Array.isArray(request.input) ? request.input : []
          const answer = items.find((item) => approvalIn(item) !== undefined)
          if (!answer) return [REQUEST]
          sent.push(approvalIn(answer))
          return [assistantMessage('done')]
        }),
      ),
    )
    const hp = openAiAgents(holdpoint, OWNER)
    const tools = hp.tools([
      hostedMcpTool({ serverLabel: 'github', serverUrl: 'https://mcp.github.com', requireApproval: 'always' }),
    ])
    const agent = new Agent({ name: 'Cleaner', model, tools })
    const from = await hp.resumeOr(agent, input)
    const result = await run(agent, from as never)
    return (await hp.suspended(result as never)) ? 'waiting' : (result as { finalOutput: unknown }).finalOutput
  }
  return { sent, turn, human: testHuman(holdpoint, { userId: 'ada' }) }
}

function approvalIn(item: object): unknown {
  const { name, providerData } = item as { name?: string; providerData?: { approve: boolean; reason?: string } }
  if (name !== 'mcp_approval_response' || !providerData) return undefined
  const { approve, reason } = providerData
  return reason === undefined ? { approve } : { approve, reason }
}

test('the approval of a hosted tool is sent to the provider once, however often the run is resumed [G2.1]', async () => {
  const { turn, sent, human } = place()
  expect(await turn('clean up')).toBe('waiting')
  const question = await human.next()
  expect(question.request).toMatchObject({ toolName: 'delete_repository', args: { name: 'horoscope' } })
  expect(await turn()).toBe('waiting')
  await human.approve(question)
  const all = await Promise.allSettled(Array.from({ length: 50 }, () => turn()))
  expect(all.filter(({ status }) => status === 'fulfilled')).toEqual([{ status: 'fulfilled', value: 'done' }])
  const reasons = all.flatMap((one) => (one.status === 'rejected' ? [one.reason.code] : []))
  expect(new Set(reasons)).toEqual(new Set(['call_begun']))
  expect(sent).toEqual([{ approve: true }])
})

test('a denial of a hosted tool reaches the provider with the reason', async () => {
  const { turn, sent, human } = place()
  await turn('clean up')
  await human.deny(await human.next(), 'I need it')
  expect(await turn()).toBe('done')
  expect(sent).toEqual([{ approve: false, reason: expect.stringContaining('I need it') }])
})

test('an approval whose process died is not sent again: the model reads that the outcome is unknown [G2.2]', async () => {
  const clock = testClock()
  const { turn, sent, human } = place(clock)
  await turn('clean up')
  await human.approve(await human.next())
  await turn()
  await clock.advance('6m')
  expect(await turn()).toBe('done')
  expect(sent).toEqual([{ approve: true }, { approve: false, reason: expect.stringContaining('not known') }])
})
