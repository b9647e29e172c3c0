import { createHoldpoint, type Holdpoint } from '@holdpoint/server'
import { aiSdk } from '@holdpoint/server/ai-sdk'
import { langchainTool } from '@holdpoint/server/langchain'
import { memoryStore } from '@holdpoint/server/memory'
import { testHuman } from '@holdpoint/server/testing'
import { MemorySaver } from '@langchain/langgraph'
import type { UIMessage } from 'ai'
import { HumanMessage } from 'langchain'
import { expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { agentOf, modelCalling } from './langchain/agent.ts'

const SESSION = 'shared'
const OWNER = { userId: 'ada' }
const call = (toolCallId: string) => [{ toolCallId, toolName: 'delete_files', input: { files: [toolCallId] } }]

/** Two threads of LangChain and a chat of the AI SDK in one session. */
function agents(holdpoint: Holdpoint) {
  const ran: string[] = []
  const tools = [
    langchainTool({
      name: 'delete_files',
      description: 'Deletes files',
      schema: z.object({ files: z.array(z.string()) }),
      approve: ({ files }) => ({ prompt: `Delete ${files}?` }),
      execute: ({ files }) => ran.push(...files),
    }),
  ]
  const thread = (id: string) => {
    const config = { configurable: { thread_id: id } }
    const model = modelCalling(call(id))
    const agent = agentOf(holdpoint, { tools, ...OWNER, sessionId: SESSION, saver: new MemorySaver(), model })
    return {
      says: (text: string) =>
        agent.invoke({ messages: [new HumanMessage({ id: `${id}-${text}`, content: text })] }, config),
      goesOn: () => agent.invoke(null, config),
    }
  }
  const chat = (...ids: string[]) => {
    const messages = ids.map((id): UIMessage => ({ id, role: 'user', parts: [{ type: 'text', text: id }] }))
    return aiSdk(holdpoint, { sessionId: SESSION, ...OWNER, messages, mode: 'suspend' })
  }
  return { ran, one: thread('one'), two: thread('two'), chat }
}

async function world() {
  const holdpoint = createHoldpoint({ store: memoryStore() })
  onTestFinished(() => holdpoint.close())
  const human = testHuman(holdpoint, OWNER)
  const prompts = async () => (await human.waiting()).map(({ prompt }) => prompt).sort()
  return { holdpoint, human, prompts, ...agents(holdpoint) }
}

/** A question of the chat's turn, asked by code that knows only the run. */
const askIn = (holdpoint: Holdpoint, runId: string) =>
  holdpoint
    .session(SESSION, OWNER)
    .gate({ runId, toolCallId: 'chat', toolName: 'send' })
    .approve({ prompt: `Send ${runId}?` })
    .catch(() => {})

test('a new message declines only questions of its own thread or chat, if frameworks share a session', async () => {
  const { holdpoint, human, prompts, ran, one, two, chat } = await world()
  await one.says('first')
  await two.says('first')
  await chat('c1').declineWaiting()
  await askIn(holdpoint, 'c1')
  expect(await prompts()).toEqual(['Delete one?', 'Delete two?', 'Send c1?'])

  await chat('c1', 'c2').declineWaiting()
  expect(await prompts()).toEqual(['Delete one?', 'Delete two?'])
  await askIn(holdpoint, 'c2')
  const [first] = (await human.waiting()).filter(({ prompt }) => prompt === 'Delete two?')
  await two.says('second')
  expect(await prompts()).toEqual(['Delete one?', 'Delete two?', 'Send c2?'])
  await expect(human.approve(first!)).rejects.toMatchObject({ code: 'superseded' })

  const [mine] = (await human.waiting()).filter(({ prompt }) => prompt === 'Delete one?')
  await human.approve(mine!)
  await one.goesOn()
  expect(ran).toEqual(['one'])
})

test('a turn may not ask after a newer message in its thread, and a message in another thread does not stop it', async () => {
  const { holdpoint, prompts } = await world()
  const session = holdpoint.session(SESSION, OWNER)
  await session.declineWaiting({ runId: 'a1', thread: 'a' })
  await session.declineWaiting({ runId: 'b1', thread: 'b' })
  await session.declineWaiting({ runId: 'a2', thread: 'a' })
  await askIn(holdpoint, 'a1')
  await askIn(holdpoint, 'b1')
  expect(await prompts()).toEqual(['Send b1?'])
})
