import { createHoldpoint } from '@holdpoint/server'
import { answerPage } from '@holdpoint/server/answer-page'
import { memoryStore } from '@holdpoint/server/memory'
import { addSurfaces, type Surface } from '@holdpoint/server/surfaces'
import { testClock, testHuman } from '@holdpoint/server/testing'
import { expect, onTestFinished, test } from 'vitest'
import type { SurfaceOptions } from '../../src/surfaces/add-surfaces.ts'

const DAY = 86_400_000

/** A node with surfaces, under a clock that the test moves; each question is asked of its own user. */
function world(surfaces: Surface[], options: Partial<SurfaceOptions> = {}) {
  const clock = testClock()
  const settled: string[] = []
  const holdpoint = createHoldpoint({
    store: memoryStore({ now: clock.now }),
    environment: clock.environment,
    logger: { debug() {}, info() {}, warn() {}, error() {} },
    hooks: { onToolResult: () => {}, onFollowUp: () => {}, onSettled: ({ userId }) => void settled.push(userId) },
  })
  onTestFinished(() => holdpoint.close())
  const pages = answerPage(holdpoint, { url: 'https://app.example.com/holdpoint' })
  addSurfaces(holdpoint, { pages, surfaces, ...options })
  let asked = 0
  const ask = (userId: string, question: object = {}) => {
    const call = { runId: 'run-1', toolCallId: `call-${asked++}`, toolName: 'deploy' }
    const context = holdpoint.session(`chat-${userId}`, { userId }).toolCall(call)
    void context.tryApprove({ prompt: 'Deploy?', timeoutMs: DAY, ...question }).catch(() => {})
  }
  const pass = async (seconds: number) => {
    for (let left = seconds; left > 0; left--) {
      await clock.advance('1s')
      await clock.settle()
    }
  }
  return { holdpoint, ask, pass, settled }
}

/** A surface whose calls are noted, and which may refuse or hold them. */
function surface(name: string, work: (userId: string) => Promise<void> | void) {
  const shown: string[] = []
  let calls = 0
  let running = 0
  let most = 0
  const port: Surface<string> = {
    name,
    async present(_interaction, { userId }) {
      calls++
      most = Math.max(most, ++running)
      try {
        await work(userId)
      } finally {
        running--
      }
      shown.push(userId)
      return userId
    },
    update: async () => {},
  }
  return { port: port as Surface, shown, calls: () => calls, most: () => most }
}

const held = () => new Promise<void>(() => {})

test('a recipient that fails for an hour delays no other recipient', async () => {
  const mail = surface('mail', (userId) => {
    if (userId === 'bob') throw new Error('Mailbox full.')
  })
  const { ask, pass } = world([mail.port])
  for (let n = 0; n < 5; n++) ask('bob')
  for (let minute = 0; minute < 60; minute += 5) {
    await pass(5 * 60)
    ask(`ada-${minute}`)
    await pass(2)
    expect([minute, mail.shown.at(-1)]).toEqual([minute, `ada-${minute}`])
  }
  expect(mail.shown).not.toContain('bob')
})

test('a provider that never responds leaves places for other surfaces, hooks and answers', async () => {
  const slow = surface('slow', held)
  const quick = surface('quick', () => {})
  const { holdpoint, ask, pass, settled } = world([slow.port, quick.port], { timeoutMs: 600_000 })
  for (let n = 0; n < 50; n++) ask(`ada-${n}`)
  await pass(20)
  expect([slow.most(), quick.shown.length]).toEqual([8, 50])
  const human = testHuman(holdpoint, { userId: 'ada-7', present: false })
  const [question] = await human.waiting()
  void human.approve(question!)
  await pass(5)
  expect(settled).toEqual(['ada-7'])
})

test('a recipient whose messages hang leaves half of the places of the surface to others', async () => {
  const mail = surface('mail', (userId) => (userId === 'bob' ? held() : undefined))
  const { ask, pass } = world([mail.port], { timeoutMs: 600_000 })
  for (let n = 0; n < 50; n++) ask('bob')
  await pass(5)
  for (let n = 0; n < 50; n++) ask(`ada-${n}`)
  await pass(20)
  expect([mail.most() <= 8, mail.shown.length]).toEqual([true, 50])
})

test('a provider that is down for every recipient is called rarely, and receives its messages within two minutes of its return', async () => {
  let isDown = true
  const mail = surface('mail', () => {
    if (isDown) throw new Error('No connection.')
  })
  const { ask, pass } = world([mail.port])
  for (let n = 0; n < 40; n++) ask(`ada-${n}`)
  await pass(20 * 60)
  expect(mail.calls()).toBeLessThan(40 * 20)
  isDown = false
  ask('carol')
  await pass(2 * 60)
  expect(mail.shown).toContain('carol')
  await pass(6 * 60)
  expect(new Set(mail.shown).size).toBe(41)
  expect(mail.shown).toHaveLength(41)
})

test('a provider that answers after the timeout gets its message once, and the late reference is used', async () => {
  let answer = () => {}
  const late = new Promise<void>((resolve) => {
    answer = resolve
  })
  const updated: string[] = []
  const mail = surface('mail', () => late)
  const port: Surface = { ...mail.port, name: 'mail', update: async (ref) => void updated.push(String(ref)) }
  const { holdpoint, ask, pass } = world([port], { timeoutMs: 5_000 })
  ask('ada')
  await pass(5)
  expect([mail.calls(), mail.shown]).toEqual([1, []])
  answer()
  await pass(60)
  expect([mail.calls(), mail.shown]).toEqual([1, ['ada']])
  const { interactions } = await holdpoint.interactions.list({ status: 'open' })
  await holdpoint.cancelInteraction(interactions[0]?.interactionId ?? '')
  await pass(10)
  expect(updated).toEqual(['ada'])
})
