import { memoryStore } from '@holdpoint/server/memory'
import { describe, expect, test } from 'vitest'
import { may, permissions } from '../../src/engine/access/authorize.ts'
import type { Kernel } from '../../src/engine/kernel/kernel.ts'
import type { QuestionRow } from '../../src/engine/state/rows.ts'
import { engineOf } from '../../src/http/mounted.ts'
import { ADA, call, open, person } from './support/world.ts'

/** The default rule without a rule of the host, for every action. */
describe('the rights of a user', () => {
  const kernel = { settings: {} } as Kernel
  const session = { tenant: '', sessionId: 'chat', userId: 'ada', createdAt: 0 }
  const row = { request: { type: 'interaction_request', audience: ['boss'] } } as unknown as QuestionRow
  const allowed = async (userId: string, question?: QuestionRow) => {
    const can = await Promise.all(permissions().map((action) => may(kernel, { userId }, action, session, question)))
    return permissions().filter((_action, index) => can[index])
  }

  test('an owner has all rights, an audience may respond and extend, and other users have none', async () => {
    expect(await allowed('ada', row)).toEqual(permissions())
    expect(await allowed('boss', row)).toEqual(['respond', 'extend'])
    expect(await allowed('boss')).toEqual([])
    expect(await allowed('eve', row)).toEqual([])
  })
})

test('an inbox calls authorize once for each session of the owner, and once for each question of an audience', async () => {
  const asked: string[] = []
  const holdpoint = open({
    store: memoryStore(),
    security: {
      authorize: ({ principal, action, owner, sessionId, interaction }) => {
        if (action === 'respond') asked.push(`${sessionId} ${interaction ? 'question' : 'session'}`)
        return principal.userId === owner || action === 'respond'
      },
    },
  })
  for (const sessionId of ['chat-1', 'chat-2']) {
    for (const toolCallId of ['a', 'b', 'c']) {
      const context = holdpoint.session(sessionId, ADA).toolCall(call(toolCallId))
      void context.approve({ prompt: 'Go?', audience: ['boss'] }).catch(() => {})
    }
    await person(holdpoint, sessionId).pending(3)
  }
  const inboxOf = async (userId: string) => (await engineOf(holdpoint).inbox({ userId }, {})).items
  asked.length = 0
  const mine = await inboxOf('ada')
  expect(mine.map(({ you }) => you?.can.length)).toEqual(Array(6).fill(permissions().length))
  expect(asked.sort()).toEqual(['chat-1 session', 'chat-2 session'])
  asked.length = 0
  const theirs = await inboxOf('boss')
  expect(theirs.map(({ you }) => you?.can)).toEqual(Array(6).fill(['respond']))
  expect(asked).toHaveLength(6)
})
