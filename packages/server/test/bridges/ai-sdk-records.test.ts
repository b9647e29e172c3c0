import { holdpointTool } from '@holdpoint/server/ai-sdk'
import { memoryStore } from '@holdpoint/server/memory'
import { testClock, testHuman } from '@holdpoint/server/testing'
import type { UIMessage } from 'ai'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { engineOf } from '../../src/http/mounted.ts'
import { ADA, open, person } from '../engine/support/world.ts'
import { modelCalling, post, responded, toolPart, user } from './support/chat.ts'
import { DELETE, deleting } from './support/tools.ts'

/** The records of a chat in the store, and what passes between them and the messages. */
function world(endedMs = 3_600_000) {
  const clock = testClock()
  const store = memoryStore({ now: clock.now })
  const holdpoint = open({ store, environment: clock.environment, retention: { endedMs } })
  const { tools, deleted } = deleting()
  // No pause: its time does not pass by itself.
  const quick = holdpointTool({
    inputSchema: z.object({ files: z.array(z.string()) }),
    approve: ({ files }) => ({ prompt: `Delete ${files.join()}?` }),
    execute: ({ files }) => void deleted.push(files),
  })
  return {
    ...{ clock, store, holdpoint, deleted },
    human: testHuman(holdpoint, ADA),
    ada: person(holdpoint),
    options: { model: modelCalling(DELETE), tools: { ...tools, deleteFiles: quick } },
    async rows() {
      const session = await engineOf(holdpoint).access(ADA, 'chat', 'read')
      if (!session) return {}
      const partition = engineOf(holdpoint).partition(session)
      const kinds = ['question', 'ended', 'call', 'journal'] as const
      const counted = await Promise.all(kinds.map(async (kind) => [kind, (await store.list(partition, kind)).length]))
      return Object.fromEntries(counted) as Record<string, number>
    },
  }
}
const none = { question: 0, ended: 0, call: 0, journal: 0 }

/** The part as a chat has it whose own button said no, and nothing else. */
function denied(messages: readonly UIMessage[], reason: string): UIMessage[] {
  const all = responded(messages, false)
  const { approval } = toolPart(all)
  if (approval) approval.reason = reason
  return all
}

describe('a denied call', () => {
  test('is recorded as declined when the chat continues, and is kept no longer than other records', async () => {
    const { clock, holdpoint, human, ada, options, rows } = world()
    const asked = await post(holdpoint, [user('clean up')], options)
    await human.deny(await human.next(), 'I need it')
    await post(holdpoint, responded(asked.messages, false), options)
    const events = await ada.events()
    expect(events.filter(({ type }) => type === 'tool_call_complete')).toMatchObject([{ status: 'declined' }])
    expect(await rows()).toMatchObject({ question: 0 })
    await clock.jump('2h')
    await clock.advance('25h')
    expect(await rows()).toEqual(none)
  })

  test.each([
    ['denied', false],
    ['approved', true],
  ])('that was %s in a chat that never continued is dropped after the retention time', async (_, yes) => {
    const { clock, holdpoint, human, deleted, options, rows } = world()
    await post(holdpoint, [user('clean up')], options)
    const question = await human.next()
    await (yes ? human.approve(question) : human.deny(question))
    await clock.advance('30m')
    expect(await rows()).toMatchObject({ question: 1, call: 1 })
    for (let hour = 0; hour < 51; hour++) await clock.jump('1h')
    expect(await rows()).toEqual(none)
    expect(deleted).toEqual([])
  })

  test('that is still open, or was answered recently, is not dropped', async () => {
    const { clock, holdpoint, human, rows } = world(3 * 86_400_000)
    const ask = holdpointTool({
      inputSchema: z.object({}),
      approve: () => ({ prompt: 'Still there?', timeoutMs: 30 * 86_400_000 }),
      execute: () => 'done',
    })
    const options = { model: modelCalling({ name: 'ask', input: {} }), tools: { ask } }
    const asked = await post(holdpoint, [user('clean up')], options)
    const question = await human.next()
    await clock.jump('3d')
    await clock.advance('12h')
    expect(await rows()).toMatchObject({ question: 1, call: 1 })
    await human.approve(question)
    await clock.advance('36h')
    expect(await rows()).toMatchObject({ question: 1, call: 1 })
    const { messages } = await post(holdpoint, responded(asked.messages, true), options)
    expect(toolPart(messages)).toMatchObject({ output: 'done' })
  })
})

describe('a denial that only the messages contain', () => {
  test('ends the question with its reason, under the name of the sender', async () => {
    const { holdpoint, human, ada, options } = world()
    const asked = await post(holdpoint, [user('clean up')], options)
    await human.next()
    await post(holdpoint, denied(asked.messages, 'not now'), options)
    expect(await human.waiting()).toEqual([])
    expect((await ada.events()).find(({ type }) => type === 'interaction_response')).toMatchObject({
      action: 'deny',
      reason: 'not now',
      respondedBy: { userId: 'ada' },
    })
  })

  test('does not override an earlier approval, and runs no tool', async () => {
    const { holdpoint, human, ada, deleted, options } = world()
    const asked = await post(holdpoint, [user('clean up')], options)
    await human.approve(await human.next())
    await post(holdpoint, denied(asked.messages, 'not now'), options)
    const said = (await ada.events()).filter(({ type }) => type === 'interaction_response')
    expect(said).toMatchObject([{ action: 'approve' }])
    expect(deleted).toEqual([])
  })

  test("of another user is ignored: the owner's question stays open", async () => {
    const { holdpoint, human, options } = world()
    const asked = await post(holdpoint, [user('clean up')], options)
    await human.next()
    await post(holdpoint, denied(asked.messages, 'ha'), { ...options, userId: 'bob' }).catch(() => {})
    expect(await human.waiting()).toHaveLength(1)
  })
})

describe('a call whose stream was interrupted by a new message', () => {
  const cutOff = (messages: readonly UIMessage[]): UIMessage[] =>
    messages.map((message) => ({
      ...message,
      parts: message.parts.map((part) => {
        if (!('toolCallId' in part)) return part
        const { approval: _none, ...rest } = part
        return { ...rest, state: 'input-available' } as typeof part
      }),
    }))

  test('has its recorded result in the prompt of the model', async () => {
    const holdpoint = open()
    const human = testHuman(holdpoint, ADA)
    const { tools } = deleting()
    const options = { model: modelCalling(DELETE), tools, mode: 'inline' as const }
    const going = post(holdpoint, [user('clean up')], options)
    await human.approve(await human.next())
    const { messages } = await going
    const model = modelCalling()
    const next = [...cutOff(messages.slice(0, 2)), user('and now?', 'message-2')]
    expect((await post(holdpoint, next, { ...options, model })).error).toBeUndefined()
    expect(JSON.stringify(model.doStreamCalls[0]?.prompt)).toContain('{"deleted":1}')
  })

  test('is declined in the prompt of the model if it still waits', async () => {
    const holdpoint = open()
    const { tools, deleted } = deleting()
    const human = testHuman(holdpoint, ADA)
    const options = { model: modelCalling(DELETE), tools, mode: 'inline' as const }
    let told: UIMessage[] = []
    const going = post(holdpoint, [user('clean up')], options)
    await human.next()
    const part = {
      type: 'tool-deleteFiles' as const,
      toolCallId: 'call-1',
      state: 'input-available' as const,
      input: DELETE.input,
    }
    told = [user('clean up'), { id: 'answer-1', role: 'assistant', parts: [part] }, user('never mind', 'message-2')]
    const model = modelCalling()
    expect((await post(holdpoint, told, { ...options, model })).error).toBeUndefined()
    expect(JSON.stringify(model.doStreamCalls[0]?.prompt)).toContain('continued without answering')
    await going
    expect(deleted).toEqual([])
  })
})

test('tool_call_start of a call with a question is emitted when the tool begins, not when the question is asked', async () => {
  const { holdpoint, human, ada, options } = world()
  const asked = await post(holdpoint, [user('clean up')], options)
  const told = async () => (await ada.events()).map(({ type }) => type).filter((type) => type.startsWith('tool_call'))
  await human.approve(await human.next())
  expect(await told()).toEqual([])
  await post(holdpoint, responded(asked.messages, true), options)
  await post(holdpoint, responded(asked.messages, true), options)
  expect(await told()).toEqual(['tool_call_start', 'tool_call_complete'])
})

test('repeats of a request belong to the same run, and the next message begins another run', async () => {
  const { holdpoint, human, ada, options } = world()
  const asked = await post(holdpoint, [user('clean up')], options)
  const { interactionId } = await human.next()
  await post(holdpoint, [user('clean up')], options)
  expect((await human.waiting()).map((one) => one.interactionId)).toEqual([interactionId])
  await human.approve(await human.next())
  await post(holdpoint, responded(asked.messages, true), options)
  await post(holdpoint, [...asked.messages, user('again', 'message-2')], options)
  const runs = (await ada.events()).flatMap(({ type, runId }) => (type === 'interaction_request' ? [runId] : []))
  expect(runs).toEqual(['message-1', 'message-2'])
})
