import type { BridgeCall } from '@holdpoint/conformance/bridge'
import { createHoldpoint, type Holdpoint, type HoldpointOptions } from '@holdpoint/server'
import { holdpointMiddleware, isToolNotRun, langchainTool, threadConfigOf } from '@holdpoint/server/langchain'
import { memoryStore } from '@holdpoint/server/memory'
import { testHuman } from '@holdpoint/server/testing'
import { Command, interrupt, MemorySaver } from '@langchain/langgraph'
import { type BaseMessage, createAgent, type DynamicStructuredTool, HumanMessage, ToolMessage, tool } from 'langchain'
import { describe, expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { agentOf, modelCalling, THREAD } from './agent.ts'

const schema = z.object({ files: z.array(z.string()), dryRun: z.boolean().default(false) })
const CALL = { toolCallId: 'call-1', toolName: 'delete_files', input: { files: ['a.txt'] } }
const config = { configurable: { thread_id: THREAD } }
const said = (text: string, id: string) => ({ messages: [new HumanMessage({ id, content: text })] })

function place(
  made: DynamicStructuredTool,
  options: { approve?: 'rule' | 'none'; hooks?: HoldpointOptions['hooks']; calls?: BridgeCall[] } = {},
) {
  const holdpoint: Holdpoint = createHoldpoint({ store: memoryStore(), ...(options.hooks && { hooks: options.hooks }) })
  onTestFinished(() => holdpoint.close())
  const saver = new MemorySaver()
  const model = modelCalling(options.calls ?? [CALL])
  const rule = (options.approve ?? 'rule') === 'rule'
  const agent = agentOf(holdpoint, {
    ...{ tools: [made], userId: 'ada', saver, model },
    ...(rule && { approve: { delete_files: true } as const }),
  })
  return { holdpoint, agent, model, human: testHuman(holdpoint, { userId: 'ada' }) }
}

/** A plain tool of LangChain. */
function plain(run: (input: z.infer<typeof schema>) => unknown): DynamicStructuredTool {
  return tool(run as never, { name: 'delete_files', description: 'Deletes files', schema }) as never
}

const resultOf = ({ messages }: { messages: BaseMessage[] }) => messages.findLast((one) => ToolMessage.isInstance(one))!

test('the owner of a thread is read from the context that the host passes', async () => {
  const holdpoint: Holdpoint = createHoldpoint({ store: memoryStore() })
  onTestFinished(() => holdpoint.close())
  const contextSchema = z.object({ userId: z.string() })
  const middleware = holdpointMiddleware<z.infer<typeof contextSchema>>(holdpoint, {
    contextSchema,
    owner: ({ context }) => ({ userId: context.userId }),
    approve: { delete_files: true },
  })
  const agent = createAgent({
    ...{ model: modelCalling([CALL]), tools: [plain(() => 'done')], contextSchema },
    ...{ checkpointer: new MemorySaver(), middleware: [middleware] },
  })
  await agent.invoke(said('clean up', 'm1'), { ...config, context: { userId: 'grace' } })
  expect(await testHuman(holdpoint, { userId: 'grace' }).waiting()).toHaveLength(1)
})

describe('a tool of LangChain with an approval rule', () => {
  test('a plain tool asks with the input that runs, defaults included, and runs as edited', async () => {
    const ran: unknown[] = []
    const { agent, human } = place(plain((input) => `${ran.push(input)} done`))
    expect(await agent.invoke(said('clean up', 'm1'), config)).toHaveProperty('__interrupt__')
    const question = await human.next()
    expect(question.request).toMatchObject({ args: { files: ['a.txt'], dryRun: false } })
    await human.approve(question)
    const result = resultOf(await agent.invoke(new Command({ resume: { decisions: [] } }), config))
    expect(result.content).toBe('1 done')
    expect(ran).toEqual([{ files: ['a.txt'], dryRun: false }])
  })

  test('a tool without a rule runs at once', async () => {
    const { agent, human } = place(
      plain(() => 'done'),
      { approve: 'none' },
    )
    expect(resultOf(await agent.invoke(said('clean up', 'm1'), config)).content).toBe('done')
    expect(await human.waiting()).toEqual([])
  })

  test('an input that the schema rejects opens no question, and the model reads why', async () => {
    const { agent, human } = place(
      tool((() => 'done') as never, {
        name: 'delete_files',
        description: 'Deletes files',
        schema: z.object({ files: z.array(z.number()) }),
      }) as never,
    )
    const result = resultOf(await agent.invoke(said('clean up', 'm1'), config))
    expect([result.status, await human.waiting()]).toEqual(['error', []])
  })

  test('the error of a tool is recorded once, and the model reads it at each resume', async () => {
    let runs = 0
    const { agent, human } = place(
      plain(() => {
        throw new Error(`The disk is full (${++runs}).`)
      }),
    )
    await agent.invoke(said('clean up', 'm1'), config)
    const stopped = (await agent.graph.getState(config)).config
    await human.approve(await human.next())
    for (const from of [config, stopped]) {
      const result = resultOf(await agent.invoke(null, from))
      expect([result.status, result.content]).toEqual(['error', 'The disk is full (1).'])
    }
  })

  test('a command that a tool returns is recorded, and a later resume applies it again', async () => {
    let runs = 0
    const { agent, human } = place(
      plain(() => {
        runs++
        const result = new ToolMessage({ content: 'moved', tool_call_id: 'call-1', name: 'delete_files' })
        return new Command({ update: { messages: [result] } })
      }),
    )
    await agent.invoke(said('clean up', 'm1'), config)
    const stopped = (await agent.graph.getState(config)).config
    await human.approve(await human.next())
    for (const from of [config, stopped]) expect(resultOf(await agent.invoke(null, from)).content).toBe('moved')
    expect(runs).toBe(1)
  })

  test('a tool that calls interrupt() behind an approval fails with the remedy', async () => {
    const { agent, human } = place(plain(() => interrupt('and now?')))
    await agent.invoke(said('clean up', 'm1'), config)
    await human.approve(await human.next())
    expect(resultOf(await agent.invoke(null, config)).content).toContain('interrupt()')
  })
})

describe('the thread', () => {
  test('a denial is a tool message that code recognizes', async () => {
    const { agent, human } = place(plain(() => 'done'))
    await agent.invoke(said('clean up', 'm1'), config)
    await human.deny(await human.next(), 'I need the file')
    const result = resultOf(await agent.invoke(null, config))
    expect([result.status, isToolNotRun(result.artifact), result.content]).toEqual([
      'error',
      true,
      'The user denied the request. Nothing was done. Do not ask for the same again. The user wrote: "I need the file"',
    ])
  })

  test('an approved call of a step runs, although another call of the step was denied', async () => {
    const ran: unknown[] = []
    const second = { ...CALL, toolCallId: 'call-2', input: { files: ['b.txt'] } }
    const { agent, human } = place(
      plain(({ files }) => `${ran.push(files)}`),
      { calls: [CALL, second] },
    )
    await agent.invoke(said('clean up', 'm1'), config)
    for (const question of await human.waiting()) {
      const isFirst = JSON.stringify(question.request).includes('a.txt')
      await (isFirst ? human.deny(question) : human.approve(question))
    }
    const { messages } = await agent.invoke(null, config)
    expect(ran).toEqual([['b.txt']])
    const results = messages.filter((one) => ToolMessage.isInstance(one))
    expect(results.map(({ status }) => status === 'error')).toEqual([true, false])
  })

  test('onSettled resumes the thread that stopped at the question', async () => {
    const threads: unknown[] = []
    let settled = () => {}
    const done = new Promise<void>((resolve) => {
      settled = resolve
    })
    const { agent, human } = place(
      plain(() => 'done'),
      {
        hooks: {
          async onSettled(notice) {
            const thread = threadConfigOf(notice)
            threads.push(thread)
            if (thread) threads.push(resultOf(await agent.invoke(null, thread)).content)
            settled()
          },
        },
      },
    )
    await agent.invoke(said('clean up', 'm1'), config)
    await human.approve(await human.next())
    await done
    expect(threads).toEqual([config, 'done'])
    expect(threadConfigOf({ wake: 'of another bridge' })).toBeUndefined()
  })

  test('a new message puts the result of the open call before the message in the history', async () => {
    const { agent, human, model } = place(plain(() => 'done'))
    await agent.invoke(said('clean up', 'm1'), config)
    const question = await human.next()
    await agent.invoke(said('leave it', 'm2'), config).catch(() => {})
    await expect(human.approve(question)).rejects.toMatchObject({ code: expect.stringMatching(/superseded|answered/) })
    const types = model.calls[1]?.messages.map((one) => one.getType())
    expect(types).toEqual(['human', 'ai', 'tool', 'human'])
    expect(String(model.calls[1]?.messages[2]?.content)).toContain('continued without answering')
  })

  test('a call that was added to the history without a question asks a question of its own', async () => {
    const { agent, human } = place(plain(() => 'done'))
    await agent.invoke(said('clean up', 'm1'), config)
    await human.approve(await human.next())
    const state = (await agent.graph.getState(config)).values as { messages: BaseMessage[] }
    const last = state.messages.at(-1) as BaseMessage & { tool_calls: { id: string }[] }
    last.tool_calls = [{ ...last.tool_calls[0]!, id: 'call-invented' }]
    await agent.graph.updateState(config, { messages: [last] })
    expect(await agent.invoke(null, config)).toHaveProperty('__interrupt__')
    expect(await human.waiting()).toHaveLength(1)
  })
})

test('a tool of langchainTool refuses to run without the middleware', async () => {
  const made = langchainTool({
    ...{ name: 'delete_files', description: 'Deletes files', schema },
    execute: () => 'done',
  })
  await expect(made.invoke({ files: [] })).rejects.toMatchObject({ code: 'tool_not_wrapped' })
})
