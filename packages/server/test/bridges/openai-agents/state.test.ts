import { createHoldpoint, type HoldpointOptions } from '@holdpoint/server'
import { memoryStore } from '@holdpoint/server/memory'
import { agentTool, openAiAgents } from '@holdpoint/server/openai-agents'
import type { Store } from '@holdpoint/server/store'
import { testClock, testHuman } from '@holdpoint/server/testing'
import { Agent, run, tool } from '@openai/agents'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { z } from 'zod'
import { modelCalling } from './support.ts'

const OWNER = { sessionId: 'task-1', userId: 'ada', runId: 'run-1' }
const CALL = { toolCallId: 'call-1', toolName: 'delete_files', input: { files: ['a.txt'] } }
const PARTITION = 's//task-1'
const keys = [{ id: 'k1', key: Buffer.alloc(32, 7).toString('base64') }]
const parameters = z.object({ files: z.array(z.string()) })

function place(options: HoldpointOptions = {}, store: Store = memoryStore()) {
  const holdpoint = createHoldpoint({ store, security: { vaultKeys: keys }, ...options })
  onTestFinished(() => holdpoint.close())
  const ran: string[][] = []
  const deleteFiles = agentTool({
    ...{ name: 'delete_files', description: 'Deletes files', parameters },
    approve: ({ files }) => ({ prompt: `Delete ${files.length} files?` }),
    execute: ({ files }) => ran.push(files),
  })
  const human = testHuman(holdpoint, { userId: 'ada' })
  /** One step of the turn, as a host writes it. */
  async function turn(owner = OWNER, input?: string, calls = [CALL], tools: readonly unknown[] = [deleteFiles]) {
    const hp = openAiAgents(holdpoint, owner)
    const agent = new Agent({ name: 'Cleaner', model: modelCalling(calls), tools: hp.tools(tools) })
    const from = await hp.resumeOr(agent, input)
    if (from === undefined) return 'nothing'
    const result = await run(agent, from as never)
    return (await hp.suspended(result as never)) ? 'waiting' : (result as { finalOutput: unknown }).finalOutput
  }
  return { holdpoint, store, human, ran, turn, deleteFiles }
}

describe('the stored state of a run', () => {
  test('is encrypted: no row of the store has the words of the conversation [G3.1]', async () => {
    const { store, turn, holdpoint } = place()
    expect(await turn(OWNER, 'delete the horoscope of Ada')).toBe('waiting')
    const [row] = await store.list(PARTITION, 'state', { limit: 10 })
    expect(row).toMatchObject({ id: 'run-1' })
    expect(row?.data).not.toMatch(/horoscope|delete_files|call-1/)
    await holdpoint.eraseSession({ sessionId: 'task-1' })
    expect(await store.list(PARTITION, 'state', { limit: 10 })).toEqual([])
  })

  test('is erased with its user', async () => {
    const { store, turn, holdpoint } = place()
    await turn(OWNER, 'clean up')
    await holdpoint.eraseUser({ userId: 'ada' })
    expect(await store.list(PARTITION, 'state', { limit: 10 })).toEqual([])
  })

  test('stays while a question of its run is open, and is dropped when the records of the run are', async () => {
    const clock = testClock()
    const store = memoryStore({ now: clock.now })
    const { turn, human, ran } = place(
      { environment: clock.environment, retention: { endedMs: 10 * 24 * 3_600_000 } },
      store,
    )
    await turn(OWNER, 'clean up')
    await human.approve(await human.next())
    await turn()
    expect(ran).toEqual([['a.txt']])
    await clock.advance('9d')
    expect(await store.list(PARTITION, 'state', { limit: 10 })).toHaveLength(1)
    await clock.advance('3d')
    await expect.poll(() => store.list(PARTITION, 'state', { limit: 10 })).toEqual([])
  })

  test('needs a key: without one the run fails with the remedy, and nothing is stored', async () => {
    const store = memoryStore()
    const { turn } = place({ security: { vaultKeys: [] } }, store)
    await expect(turn(OWNER, 'clean up')).rejects.toMatchObject({ error: { code: 'vault_keys_missing' } })
    expect(await store.list(PARTITION, 'state', { limit: 10 })).toEqual([])
  })

  test('belongs to its user and run [G3.2]', async () => {
    const { turn } = place()
    await turn(OWNER, 'clean up')
    await expect(turn({ ...OWNER, userId: 'eve' })).rejects.toMatchObject({ code: 'session_owner_mismatch' })
    expect(await turn({ ...OWNER, runId: 'run-2' })).toBe('nothing')
  })
})

test('onSettled resumes the run in another process that only has the notice', async () => {
  const done = vi.fn()
  const here = place({ hooks: { onSettled: async (notice) => done(await here.turn(notice)) } })
  expect(await here.turn(OWNER, 'clean up')).toBe('waiting')
  await here.human.approve(await here.human.next())
  await vi.waitFor(() => expect(done).toHaveBeenCalledWith('done'))
  expect(here.ran).toEqual([['a.txt']])
})

test("of two executions of one turn that stop at different calls, the first is stored and the other's question ends", async () => {
  const { holdpoint, turn, human, ran, deleteFiles } = place()
  expect(await turn(OWNER, 'clean up')).toBe('waiting')
  // A host that repeats its request from the beginning, and a model that makes another call this time.
  const hp = openAiAgents(holdpoint, OWNER)
  const other = { ...CALL, toolCallId: 'call-2', input: { files: ['b.txt'] } }
  const agent = new Agent({ name: 'Cleaner', model: modelCalling([other]), tools: hp.tools([deleteFiles]) })
  const result = await run(agent, 'clean up')
  expect(await human.waiting()).toHaveLength(2)
  expect(await hp.suspended(result)).toBe(true)
  const [left, ...more] = await human.waiting()
  expect([left?.toolCallId, more]).toEqual(['call-1', []])
  await human.approve(left!)
  expect(await turn()).toBe('done')
  expect(ran).toEqual([['a.txt']])
})

describe('a process that ends between its first question and `suspended`', () => {
  /** Runs the model until it stops, and stores nothing more. */
  async function killed({ holdpoint, deleteFiles }: ReturnType<typeof place>) {
    const hp = openAiAgents(holdpoint, OWNER)
    const agent = new Agent({ name: 'Cleaner', model: modelCalling([CALL]), tools: hp.tools([deleteFiles]) })
    await run(agent, (await hp.resumeOr(agent, 'clean up')) as string)
  }

  test('keeps the input: after the answer the run starts again, and the same call uses the answer', async () => {
    const here = place()
    await killed(here)
    await here.human.approve(await here.human.next())
    expect(await here.turn()).toBe('done')
    expect(here.ran).toEqual([['a.txt']])
  })

  test('keeps its question only until the run stops at another call', async () => {
    const here = place()
    await killed(here)
    const other = { ...CALL, toolCallId: 'call-2', input: { files: ['b.txt'] } }
    expect(await here.turn(OWNER, undefined, [other])).toBe('waiting')
    const [left, ...more] = await here.human.waiting()
    expect([left?.toolCallId, more]).toEqual(['call-2', []])
    await here.human.approve(left!)
    expect(await here.turn(OWNER, undefined, [other])).toBe('done')
    expect(here.ran).toEqual([['b.txt']])
  })

  test('stores nothing for a run whose tools ask nothing', async () => {
    const { store, turn } = place()
    const own = agentTool({ ...{ name: 'delete_files', description: 'Deletes', parameters }, execute: () => 'done' })
    expect(await turn(OWNER, 'clean up', [CALL], [own])).toBe('done')
    expect(await store.list(PARTITION, 'state', { limit: 10 })).toEqual([])
  })
})

describe('a tool of the SDK that was not made with agentTool', () => {
  test('asks by its own needsApproval, and runs once', async () => {
    const ran: string[][] = []
    const { turn, human } = place()
    const own = tool({
      ...{ name: 'delete_files', description: 'Deletes files', parameters },
      needsApproval: async (_context, { files }) => files.length > 0,
      execute: ({ files }) => `${ran.push(files)} done`,
    })
    expect(await turn(OWNER, 'clean up', [CALL], [own])).toBe('waiting')
    const question = await human.next()
    expect(question.request).toMatchObject({ toolName: 'delete_files', args: { files: ['a.txt'] } })
    // Every surface asks in the language of its user.
    expect(question.request).not.toHaveProperty('prompt')
    await human.approve(question)
    expect(await Promise.all([1, 2, 3].map(() => turn(OWNER, undefined, [CALL], [own])))).toEqual(Array(3).fill('done'))
    expect(ran).toEqual([['a.txt']])
  })

  test('runs at once without needsApproval', async () => {
    const { turn, human } = place()
    const own = tool({ ...{ name: 'delete_files', description: 'Deletes', parameters }, execute: () => 'done' })
    expect(await turn(OWNER, 'clean up', [CALL], [own])).toBe('done')
    expect(await human.waiting()).toEqual([])
  })
})

test('a decision that host code writes into the state runs nothing [G1.1]', async () => {
  const { holdpoint, deleteFiles, human, ran, turn } = place()
  const hp = openAiAgents(holdpoint, OWNER)
  const agent = new Agent({ name: 'Cleaner', model: modelCalling([CALL]), tools: hp.tools([deleteFiles]) })
  const { state } = await run(agent, (await hp.resumeOr(agent, 'clean up')) as string)
  for (const item of state.getInterruptions()) state.approve(item, { alwaysApprove: true })
  await run(agent, state)
  expect(ran).toEqual([])
  await human.approve(await human.next())
  expect(await turn()).toBe('done')
  expect(ran).toEqual([['a.txt']])
})

test('an input that the schema rejects opens no question, and the model reads why', async () => {
  const { turn, human } = place()
  expect(await turn(OWNER, 'clean up', [{ ...CALL, input: { files: 'a.txt' } as never }])).toBe('done')
  expect(await human.waiting()).toEqual([])
})

test('a tool of agentTool refuses to run without hp.tools', async () => {
  const { deleteFiles } = place()
  const agent = new Agent({ name: 'Cleaner', model: modelCalling([CALL]), tools: [deleteFiles as never] })
  await expect(run(agent, 'clean up')).rejects.toThrow('hp.tools')
})
