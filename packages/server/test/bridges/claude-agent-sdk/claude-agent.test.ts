import { query } from '@anthropic-ai/claude-agent-sdk'
import { ClaudeStandIn, type Script } from '@holdpoint/conformance/claude-stand-in'
import { createHoldpoint } from '@holdpoint/server'
import { type ClaudeAgentOptions, claudeAgent } from '@holdpoint/server/claude-agent-sdk'
import { memoryStore } from '@holdpoint/server/memory'
import { testHuman } from '@holdpoint/server/testing'
import { describe, expect, onTestFinished, test, vi } from 'vitest'

const OWNER = { sessionId: 'chat-1', userId: 'ada', runId: 'run-1' }
const BASH = { id: 'toolu_1', name: 'Bash', input: { command: 'rm a.txt' } }

function place() {
  const holdpoint = createHoldpoint({ store: memoryStore() })
  onTestFinished(() => holdpoint.close())
  const ran: unknown[] = []
  /** One process of Claude. Resolves with how its calls ended. */
  async function turn(script: Script, options: Partial<ClaudeAgentOptions> = {}) {
    const claude = new ClaudeStandIn({ run: ({ input }) => ran.push(input), ...script })
    const hp = claudeAgent(holdpoint, { ...OWNER, ...options })
    const resume = await hp.resumes()
    let waiting = false
    const spawned = { spawnClaudeCodeProcess: claude.spawn, pathToClaudeCodeExecutable: 'stand-in', settingSources: [] }
    const messages = query({ prompt: 'clean up', options: { ...hp.options, ...spawned, ...(resume && { resume }) } })
    for await (const message of messages) waiting ||= await hp.waits(message)
    return {
      waiting,
      ends: Object.fromEntries(claude.ends),
      elicited: claude.elicited,
      updates: claude.updates,
      resume,
    }
  }
  return { holdpoint, turn, ran, human: testHuman(holdpoint, { userId: 'ada' }) }
}

describe('canUseTool', () => {
  test('waits for the person, and allows the input as edited', async () => {
    const { turn, human, ran } = place()
    const going = turn({ calls: [BASH] }, { editable: true })
    const question = await human.next()
    expect(question.request).toMatchObject({ toolName: 'Bash', args: { command: 'rm a.txt' } })
    await human.approve(question, { args: { command: 'rm b.txt' } })
    expect((await going).ends).toEqual({ toolu_1: { allowed: { command: 'rm b.txt' }, output: 1 } })
    expect(ran).toEqual([{ command: 'rm b.txt' }])
  })

  test('denies with the reason of the user', async () => {
    const { turn, human, ran } = place()
    const going = turn({ calls: [BASH] })
    await human.deny(await human.next(), 'I need it')
    expect((await going).ends).toEqual({ toolu_1: { denied: 'I need it' } })
    expect(ran).toEqual([])
  })

  test('returns the suggestions only for the session of Claude, and only if the user accepts them [G5.1]', async () => {
    const { turn, human } = place()
    const rule = { toolName: 'Bash', ruleContent: 'rm *' }
    const suggestion = { type: 'addRules', rules: [rule], behavior: 'allow', destination: 'userSettings' }
    const going = turn({ calls: [{ ...BASH, suggestions: [suggestion] }] })
    const question = await human.next()
    expect(question.request).toMatchObject({ approvalScopes: ['once', 'session'], approvalLabel: 'Bash: rm *' })
    await human.approve(question, { approvalScope: 'session' })
    expect((await going).updates).toEqual([{ ...suggestion, destination: 'session' }])
  })

  test('shows a call that Claude marks as dangerous with high risk', async () => {
    const { turn, human } = place()
    const going = turn({ calls: [{ ...BASH, defaultToNo: true }] })
    const question = await human.next()
    expect(question.request).toMatchObject({ risk: 'high' })
    await human.deny(question)
    await going
  })

  test('asks for each of several calls of one message', async () => {
    const { turn, human, ran } = place()
    const other = { ...BASH, id: 'toolu_2', input: { command: 'rm b.txt' } }
    const going = turn({ calls: [BASH, other] }, { defer: ['Bash'] })
    await vi.waitFor(async () => expect(await human.waiting()).toHaveLength(2))
    for (const question of await human.waiting()) {
      if (question.toolCallId === 'toolu_1') await human.approve(question)
      else await human.deny(question)
    }
    const { ends, waiting } = await going
    expect([waiting, ends.toolu_1]).toEqual([false, { allowed: { command: 'rm a.txt' }, output: 1 }])
    expect(ends.toolu_2).toHaveProperty('denied')
    expect(ran).toHaveLength(1)
  })
})

describe('defer', () => {
  test('ends the process at the question, and another process runs the call once [G4.2]', async () => {
    const { turn, human, ran } = place()
    expect(await turn({ calls: [BASH] }, { defer: ['Bash'] })).toMatchObject({
      waiting: true,
      ends: { toolu_1: 'deferred' },
    })
    expect(await turn({ calls: [BASH] }, { defer: ['Bash'] })).toMatchObject({ waiting: true })
    await human.approve(await human.next())
    const resumes = await Promise.all(Array.from({ length: 10 }, () => turn({ calls: [BASH] }, { defer: ['Bash'] })))
    expect(resumes.every(({ resume }) => resume?.startsWith('00000000'))).toBe(true)
    const denied = resumes.filter(({ ends }) => 'denied' in (ends.toolu_1 as object))
    expect(denied).toHaveLength(9)
    expect(ran).toEqual([{ command: 'rm a.txt' }])
  })

  test('an answer for another input of the same call allows nothing [G4.1]', async () => {
    const { turn, human, ran } = place()
    await turn({ calls: [BASH] }, { defer: ['Bash'] })
    await human.approve(await human.next())
    const changed = { ...BASH, input: { command: 'rm -rf /' } }
    const { ends } = await turn({ calls: [changed] }, { defer: ['Bash'] })
    expect(ends.toolu_1).toHaveProperty('denied')
    expect(ran).toEqual([])
  })
})

describe('AskUserQuestion', () => {
  const questions = [
    {
      ...{ question: 'Which library?', header: 'Library', multiSelect: false },
      options: [
        { label: 'zod', description: 'Schemas' },
        { label: 'valibot', description: 'Small' },
      ],
    },
    { question: 'Which parts?', header: 'Parts', multiSelect: true, options: [{ label: 'A' }, { label: 'B' }] },
  ]
  const call = { id: 'toolu_1', name: 'AskUserQuestion', input: { questions } }

  test.each([[[]], [['AskUserQuestion']]])(
    'is shown as one form, whose answers reach Claude (deferred: %s)',
    async (defer) => {
      const { turn, human, ran } = place()
      const going = turn({ calls: [call] }, { defer })
      if (defer.length > 0) await going
      const question = await human.next()
      await human.fill(question, { q1: 'my own', q2: ['A', 'B'] })
      const { ends } = defer.length > 0 ? await turn({ calls: [call] }, { defer }) : await going
      const answers = { 'Which library?': 'my own', 'Which parts?': 'A, B' }
      expect(ends.toolu_1).toMatchObject({ allowed: { questions, answers } })
      expect(ran).toHaveLength(1)
    },
  )

  test('a declined form denies the tool, so that Claude does not read empty answers', async () => {
    const { turn, human } = place()
    const going = turn({ calls: [call] })
    await human.decline(await human.next())
    expect((await going).ends.toolu_1).toHaveProperty('denied')
  })
})

test('onElicitation shows the form of an MCP server with its name', async () => {
  const { turn, human } = place()
  const requested_schema = {
    type: 'object',
    properties: { name: { type: 'string', title: 'Name' } },
    required: ['name'],
  }
  const going = turn({ elicitation: { mcp_server_name: 'github', message: 'Your name?', requested_schema } })
  const question = await human.next()
  expect(question.prompt).toContain('github asks')
  await human.fill(question, { name: 'Ada' })
  expect((await going).elicited).toEqual([{ action: 'accept', content: { name: 'Ada' } }])
})
