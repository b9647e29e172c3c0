import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { shownDigest } from '@holdpoint/core/wire'
import { createHoldpoint, type Holdpoint, type HoldpointOptions } from '@holdpoint/server'
import { memoryStore } from '@holdpoint/server/memory'
import { sqliteStore } from '@holdpoint/server/sqlite'
import type { Store } from '@holdpoint/server/store'
import { onTestFinished } from 'vitest'
import { engineOf } from '../../../src/http/mounted.ts'

export const ADA = { userId: 'ada' }
export const BOB = { userId: 'bob' }

/** The stores that every promise is shown on. */
export const stores: readonly (readonly [name: string, make: () => Store])[] = [
  ['memory', () => memoryStore()],
  ['sqlite', () => sqliteStore({ path: join(folder(), 'data.db'), pollMs: 2 })],
]

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'holdpoint-engine-'))
  onTestFinished(() => rmSync(path, { recursive: true, force: true }))
  return path
}

/** A Holdpoint that is closed after the test. */
export function open(options: HoldpointOptions = {}): Holdpoint {
  const holdpoint = createHoldpoint({ store: memoryStore(), ...options })
  onTestFinished(() => holdpoint.close())
  return holdpoint
}

let answers = 0

/** The person's side, straight at the engine. */
export function person(holdpoint: Holdpoint, sessionId = 'chat', principal: { userId: string; name?: string } = ADA) {
  const engine = engineOf(holdpoint)
  const self = {
    async snapshot() {
      const session = await engine.access(principal, sessionId, 'read')
      if (!session) throw new Error('no session')
      return await engine.snapshot(principal, session)
    },
    /** Questions that can be answered, once there are `count`. */
    async pending(count = 1) {
      for (;;) {
        const session = await engine.access(principal, sessionId, 'read')
        const found = session ? (await engine.snapshot(principal, session)).interactions : []
        const open = found.filter((one) => !one.response && !one.closed).map((one) => one.request)
        if (open.length >= count)
          return open as { interactionId: string; toolCallId: string; [field: string]: unknown }[]
        await new Promise((resolve) => setTimeout(resolve, 2))
      }
    },
    async next() {
      return (await self.pending()).at(-1) as { interactionId: string; toolCallId: string; [field: string]: unknown }
    },
    async look() {
      const session = await engine.access(principal, sessionId, 'read')
      if (session) await engine.presence.touch(session, { clientId: 'tab', userId: principal.userId })
    },
    answer(question: { interactionId: string; toolCallId: string }, said: Record<string, unknown>) {
      return engine.answer(principal, sessionId, {
        type: 'tool_interaction_response',
        clientId: 'tab',
        callId: question.toolCallId,
        interactionId: question.interactionId,
        answerId: `answer-${++answers}`,
        ...('type' in question && { shownDigest: shownDigest(question as never) }),
        ...said,
      } as Parameters<typeof engine.answer>[2])
    },
    /** The log, oldest first. */
    async events() {
      const session = await engine.access(principal, sessionId, 'read')
      if (!session) return []
      const page = await engine.store.readLog(engine.partition(session), { from: 1, limit: 10_000 })
      return page.events.map(({ json }) => JSON.parse(json) as { type: string; [field: string]: unknown })
    },
  }
  return self
}

export const call = (toolCallId = 'call-1', runId = 'run-1', toolName = 'delete_files') => ({
  runId,
  toolCallId,
  toolName,
})
