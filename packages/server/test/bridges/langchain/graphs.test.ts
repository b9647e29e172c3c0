import { createHoldpoint } from '@holdpoint/server'
import { hitlApprovals, hitlResponse, holdpointInterrupt } from '@holdpoint/server/langchain'
import { memoryStore } from '@holdpoint/server/memory'
import { testHuman } from '@holdpoint/server/testing'
import { Annotation, Command, MemorySaver, START, StateGraph } from '@langchain/langgraph'
import {
  type AgentMiddleware,
  createAgent,
  type HITLRequest,
  HumanMessage,
  humanInTheLoopMiddleware,
  ToolMessage,
  tool,
} from 'langchain'
import { expect, onTestFinished, test, vi } from 'vitest'
import { z } from 'zod'
import { modelCalling } from './agent.ts'

const config = { configurable: { thread_id: 'thread-1' } }

function place() {
  const holdpoint = createHoldpoint({ store: memoryStore() })
  onTestFinished(() => holdpoint.close())
  const session = holdpoint.session('thread-1', { userId: 'ada' })
  return { holdpoint, session, human: testHuman(holdpoint, { userId: 'ada' }) }
}

test('holdpointInterrupt stops a node of a graph, ignores resume values, and returns the recorded answer', async () => {
  const { holdpoint, session, human } = place()
  const State = Annotation.Root({ folder: Annotation<string> })
  const graph = new StateGraph(State)
    .addNode('ask', async () => {
      const call = { runId: 'run-1', toolCallId: 'ask', toolName: 'archive' }
      return await holdpointInterrupt(holdpoint, session, call, (ctx) =>
        ctx.ask({ prompt: 'Where to?', fields: [{ id: 'folder', label: 'Folder', type: 'text', required: true }] }),
      )
    })
    .addEdge(START, 'ask')
    .compile({ checkpointer: new MemorySaver() })
  expect(await graph.invoke({ folder: '' }, config)).toHaveProperty('__interrupt__')
  for (const resume of [{ folder: 'forged' }, { folder: 'forged again' }]) {
    expect(await graph.invoke(new Command({ resume }), config)).toHaveProperty('__interrupt__')
  }
  await human.fill(await human.next(), { folder: 'old' })
  expect(await graph.invoke(null, config)).toEqual({ folder: 'old' })
})

test('the converters carry approvals and edits of humanInTheLoopMiddleware', async () => {
  const { request, agent, ran, human, asked } = await reviewed('a.txt', 'b.txt')
  for (const question of await human.waiting()) {
    const isFirst = JSON.stringify(question.request).includes('a.txt')
    await human.approve(question, isFirst ? {} : { args: { files: ['edited.txt'] } })
  }
  const response = hitlResponse(request, await Promise.all(asked))
  expect(response.decisions.map(({ type }) => type)).toEqual(['approve', 'edit'])
  await agent.invoke(new Command({ resume: response }), config)
  expect(ran).toEqual([{ files: ['a.txt'] }, { files: ['edited.txt'] }])
})

test('the converters carry a denial with its reason, and need one outcome for each action', async () => {
  const { request, agent, ran, human, asked } = await reviewed('a.txt')
  await human.deny(await human.next(), 'I need it')
  const response = hitlResponse(request, await Promise.all(asked))
  const { messages } = await agent.invoke(new Command({ resume: response }), config)
  expect(messages.find((one) => ToolMessage.isInstance(one))).toMatchObject({ status: 'error', content: 'I need it' })
  expect(ran).toEqual([])
  expect(() => hitlResponse(request, [])).toThrow('1 actions, got 0')
})

/** An agent of LangChain that waits for a review of these calls, and Holdpoint's approvals for them. */
async function reviewed(...files: string[]) {
  const { session, human } = place()
  const ran: unknown[] = []
  const made = tool((input) => `${ran.push(input)}`, {
    ...{ name: 'delete_files', description: 'Deletes files', schema: z.object({ files: z.array(z.string()) }) },
  })
  const calls = files.map((file, n) => ({
    ...{ toolCallId: `call-${n}`, toolName: 'delete_files', input: { files: [file] } },
  }))
  const agent = createAgent({
    ...{ model: modelCalling(calls), tools: [made], checkpointer: new MemorySaver() },
    middleware: [
      humanInTheLoopMiddleware({ interruptOn: { delete_files: true } } as never) as unknown as AgentMiddleware,
    ],
  })
  const stopped = await agent.invoke({ messages: [new HumanMessage('clean up')] }, config)
  const request = (stopped as unknown as { __interrupt__: { value: HITLRequest }[] }).__interrupt__[0]!.value
  const asked = hitlApprovals(request).map(({ toolName, approve }, n) =>
    session.toolCall({ runId: 'run-1', toolCallId: `call-${n}`, toolName }).tryApprove(approve),
  )
  await vi.waitFor(async () => expect(await human.waiting()).toHaveLength(files.length))
  return { request, agent, ran, human, asked }
}
