import type { SessionSnapshot } from '@holdpoint/core/internal'
import { shownDigest } from '@holdpoint/core/wire'
import { expect, test } from 'vitest'
import { type FunctionProcess, type FunctionRequest, type FunctionSetup, startFunction } from './function-process.ts'
import { onStores, pause, until, type World } from './places.ts'

interface Replied {
  status: number
  body: Record<string, unknown>
}

/** Starting a process for each request takes its time where others work, too. */
const LIMIT = 90_000

// Not on SQLite: a process that is frozen while it writes keeps the lock of the file.
await onStores('serverless functions', ['postgres', 'redis'], (world) => {
  test(
    'a question of one short-lived process is answered in the next, which runs the tool to its end',
    async () => {
      const { request, effects } = platform(world())
      const asked = await request({ type: 'run', sessionId: 's', mark: 'c' })
      expect(asked).toMatchObject({ status: 'suspended', interactionIds: [expect.any(String)] })
      const question = await questionOf(request, 'c')
      expect(await answer(request, 'c', question)).toMatchObject({ status: 200 })
      expect(effects('ran')).toEqual(['ran c f1', 'ran c f3'])
      expect(effects('effect')).toEqual(['effect c f3'])
      expect(effects('delivered')).toEqual([expect.stringMatching(/^delivered c \S+ "f3" f3$/)])
      // A later request and every tick find the record and run nothing.
      await request({ type: 'tick' })
      expect(await request({ type: 'run', sessionId: 's', mark: 'c' })).toEqual({ status: 'completed', result: 'f3' })
      expect(effects('ran')).toHaveLength(2)
      expect(effects('delivered')).toHaveLength(1)
    },
    LIMIT,
  )

  test(
    'three processes that answer one question have one winner, and the tool runs once',
    async () => {
      const { request, effects } = platform(world())
      await request({ type: 'run', sessionId: 's', mark: 'c' })
      const question = await questionOf(request, 'c')
      const replies = await Promise.all([1, 2, 3].map(() => answer(request, 'c', question)))
      expect(replies.map(({ status }) => status).sort()).toEqual([200, 409, 409])
      expect(effects('effect')).toHaveLength(1)
      expect(new Set(effects('delivered').map((line) => line.split(' ')[2])).size).toBe(1)
    },
    LIMIT,
  )

  test.each(['read', 'settle', 'tick'] as const)(
    'an overdue timeout is enforced by the next request: %s',
    async (how) => {
      const { request, effects } = platform(world())
      const asked = await request<{ interactionIds: string[] }>({ type: 'decide', sessionId: 's', mark: 'd' })
      await pause(350)
      if (how === 'tick') await request({ type: 'tick' })
      else if (how === 'read') await request({ type: 'http', sessionId: 's', path: '' })
      else expect((await answer(request, 'd', String(asked.interactionIds[0]))).status).not.toBe(200)
      expect(effects('timeout')).toEqual(['timeout d f2'])
      expect(effects('delivered')).toEqual([expect.stringMatching(/^delivered d \S+ "timed out" f2$/)])
      await request({ type: 'tick' })
      expect(effects('timeout')).toHaveLength(1)
      expect(effects('delivered')).toHaveLength(1)
      expect(await request({ type: 'decide', sessionId: 's', mark: 'd' })).toEqual({
        status: 'completed',
        result: 'timed out',
      })
    },
    LIMIT,
  )

  test(
    'a call is completed by another instance if each instance is frozen after its response, and the first instance resumes to find it completed',
    async () => {
      const { instance, effects } = platform(world())
      const [a, b] = [instance('A'), instance('B')]
      expect(await a.request({ type: 'run', sessionId: 's', mark: 'c' })).toMatchObject({ status: 'suspended' })
      const question = await questionOf((request) => b.request(request), 'c')
      expect(await answer((request) => b.request(request), 'c', question)).toMatchObject({ status: 200 })
      expect(effects('effect')).toEqual(['effect c B'])
      expect(await a.request({ type: 'run', sessionId: 's', mark: 'c' })).toEqual({ status: 'completed', result: 'B' })
      expect(await a.request({ type: 'run', sessionId: 's', mark: 'd' })).toMatchObject({ status: 'suspended' })
      expect(effects('effect')).toHaveLength(1)
      expect(effects('delivered')).toHaveLength(1)
    },
    LIMIT,
  )

  test(
    'a call whose instance is frozen while the tool runs is completed by a tick elsewhere, and its late write is fenced',
    async () => {
      const { instance, effects } = platform(world())
      const [a, b] = [instance('A'), instance('B')]
      await a.request({ type: 'run', sessionId: 's', mark: 'c', pauseMs: 1_500 })
      const question = await questionOf((request) => a.request(request), 'c')
      const body = answerOf('c', question)
      // The platform stops it while it does what `waitUntil` was given.
      const freezeOn = async () => {
        await until(() => effects('ran').length === 2)
        await pause(100)
      }
      expect(
        await a.request<Replied>({ type: 'http', sessionId: 's', path: '/messages', body }, { freezeOn }),
      ).toMatchObject({ status: 200 })
      expect(effects('effect')).toEqual([])
      await until(async () => {
        await b.request({ type: 'tick' })
        return effects('delivered').length > 0
      }, 40_000)
      expect(effects('effect')).toEqual(['effect c B'])
      await a.wake()
      expect(await a.request({ type: 'run', sessionId: 's', mark: 'c', pauseMs: 1_500 })).toEqual({
        status: 'completed',
        result: 'B',
      })
      await a.request({ type: 'tick' })
      expect(effects('effect')).toEqual(['effect c B'])
      expect(new Set(effects('delivered').map((line) => line.split(' ')[2])).size).toBe(1)
      expect(effects('error')).toEqual([])
    },
    LIMIT,
  )

  test(
    'a platform that ends a request before its question ends causes a warning with its name',
    async () => {
      const { request, effects } = platform(world())
      const bare = { type: 'bare', sessionId: 's', mark: 'c' } as const
      const inline = { waiting: 'inline', after: 'freeze' } as const
      await request(bare, { ...inline, maxDurationMs: 5_000 })
      expect(effects('warned')).toEqual(['warned serverless_deadline f1'])
      await request({ ...bare, mark: 'd' }, { ...inline, maxDurationMs: 90_000 })
      await request({ type: 'run', sessionId: 's', mark: 'e' }, { maxDurationMs: 5_000 })
      expect(effects('warned')).toHaveLength(1)
    },
    LIMIT,
  )
})

type Request = <T = unknown>(request: FunctionRequest, setup?: Partial<FunctionSetup>) => Promise<T>

function platform({ store, file, effects }: World) {
  let count = 0
  const start = (name: string, setup: Partial<FunctionSetup>): FunctionProcess =>
    startFunction({ name, store, effects: file, after: 'exit', ...setup })
  return {
    effects,
    /** A process for this request alone. */
    request: (async (request, setup = {}) => await start(`f${++count}`, setup).request(request)) as Request,
    /** One that is stopped between its requests. */
    instance: (name: string) => start(name, { after: 'freeze' }),
  }
}

async function questionOf(request: Request, mark: string): Promise<string> {
  const { body } = await request<{ body: SessionSnapshot }>({ type: 'http', sessionId: 's', path: '' })
  const questions = body.interactions.map(({ request: event }) => event as Record<string, unknown>)
  const found = questions.find(({ toolCallId }) => toolCallId === mark)
  if (!found) throw new Error(`no question of ${mark}`)
  const interactionId = String(found.interactionId)
  digests.set(interactionId, shownDigest(found as never))
  return interactionId
}
/** Of the questions that were shown, by their id. */
const digests = new Map<string, string>()

const answerOf = (callId: string, interactionId: string) => ({
  type: 'tool_interaction_response',
  clientId: 'tab',
  callId,
  interactionId,
  shownDigest: digests.get(interactionId) ?? 'not shown',
  answerId: crypto.randomUUID(),
  action: 'approve',
})

const answer = (request: Request, mark: string, interactionId: string) =>
  request<Replied>({ type: 'http', sessionId: 's', path: '/messages', body: answerOf(mark, interactionId) })
