import { testHuman } from '@holdpoint/server/testing'
import { expect, test } from 'vitest'
import { permissionHandler } from '../../../src/bridges/handlers/permission.ts'
import { ADA, open } from '../../engine/support/world.ts'

function world() {
  const holdpoint = open()
  const ask = permissionHandler(holdpoint, { sessionId: 'chat', ...ADA, runId: 'run-1' })
  return { holdpoint, ask, human: testHuman(holdpoint, ADA) }
}
const BASH = { toolCallId: 'call-1', toolName: 'Bash', title: 'Run a command', input: { command: 'rm a.txt' } }

test('an approval allows the input that was shown', async () => {
  const { ask, human } = world()
  const asking = ask(BASH)
  const question = await human.next()
  expect(question).toMatchObject({ prompt: 'Run a command', args: { command: 'rm a.txt' } })
  await human.approve(question)
  expect(await asking).toEqual({ decision: 'allow', input: BASH.input, edited: false, suggestions: [] })
})

test('an approval with edited arguments allows the edited arguments', async () => {
  const { ask, human } = world()
  const asking = ask({ ...BASH, editable: true })
  await human.approve(await human.next(), { args: { command: 'ls' } })
  expect(await asking).toMatchObject({ decision: 'allow', input: { command: 'ls' }, edited: true })
})

test('an approval for the session accepts the suggestions, and covers the next request with the same suggestions', async () => {
  const { ask, human } = world()
  const suggestions = [{ id: 'rm *', label: 'all rm commands' }]
  const asking = ask({ ...BASH, suggestions })
  const question = await human.next()
  expect(question.request).toMatchObject({ approvalScopes: ['once', 'session'], approvalLabel: 'all rm commands' })
  await human.approve(question, { approvalScope: 'session' })
  expect(await asking).toMatchObject({ decision: 'allow', suggestions: ['rm *'] })
  const next = ask({ ...BASH, toolCallId: 'call-2', input: { command: 'rm b.txt' }, suggestions })
  expect(await next).toMatchObject({ decision: 'allow', input: { command: 'rm b.txt' } })
})

test('a request without suggestions offers no approval for the session', async () => {
  const { ask, human } = world()
  const asking = ask(BASH)
  const question = await human.next()
  await expect(human.approve(question, { approvalScope: 'session' })).rejects.toThrow()
  await human.deny(question)
  await asking
})

test('a denial is returned with the reason of the user', async () => {
  const { ask, human } = world()
  const asking = ask(BASH)
  await human.deny(await human.next(), 'I need it')
  expect(await asking).toEqual({ decision: 'deny', outcome: 'denied', message: 'I need it' })
})

test('fifty equal requests at once share one question and one decision', async () => {
  const { ask, human } = world()
  const all = Promise.all(Array.from({ length: 50 }, () => ask(BASH)))
  await human.approve(await human.next())
  expect(new Set((await all).map(({ decision }) => decision))).toEqual(new Set(['allow']))
})
