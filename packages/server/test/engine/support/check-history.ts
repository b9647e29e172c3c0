import type { Holdpoint } from '@holdpoint/server'
import { expect } from 'vitest'
import { engineOf } from '../../../src/http/mounted.ts'
import { ADA } from './world.ts'

/** An answer that was acknowledged to the person. */
export interface Acknowledged {
  interactionId: string
  answerId: string
  action: string
}

type Event = { type: string; interactionId?: string; [field: string]: unknown }

/**
 * Checks the invariants of a session after any failure of its processes: one answer for each question, no acknowledged
 * answer lost, no event after the end, and a snapshot that equals the state of the log.
 */
export async function checkHistory(holdpoint: Holdpoint, acknowledged: readonly Acknowledged[], sessionId = 'chat') {
  const engine = engineOf(holdpoint)
  const session = await engine.access(ADA, sessionId, 'read')
  if (!session) return expect(acknowledged).toEqual([])
  const { events } = await engine.store.readLog(engine.partition(session), { from: 1, limit: 10_000 })
  const log = events.map(({ json }) => JSON.parse(json) as Event)
  expect(events.map(({ seq }) => seq)).toEqual(log.map((_event, index) => index + 1))

  const stories = new Map<string, string[]>()
  for (const { type, interactionId } of log) {
    if (interactionId === undefined || type === 'user_message' || type === 'interaction_updated') continue
    stories.set(interactionId, [...(stories.get(interactionId) ?? []), type])
  }
  for (const [id, story] of stories) expect(allowed, `${id}: ${story}`).toContain(story.join(' '))

  const answers = log.filter(({ type }) => type === 'interaction_response')
  for (const { interactionId, action } of acknowledged) {
    const recorded = answers.filter((event) => event.interactionId === interactionId)
    expect(recorded, `the acknowledged answer to ${interactionId}`).toMatchObject([{ action }])
  }

  const { interactions, cursor } = await engine.snapshot(ADA, session)
  expect(cursor.split('.')[1]).toBe(`${log.length}`)
  for (const { request, response, closed } of interactions) {
    const id = (request as Event).interactionId!
    const events = log.filter((event) => event.interactionId === id)
    const find = (...types: string[]) => events.find(({ type }) => types.includes(type))
    expect(request).toEqual(find('interaction_request', 'auth_needed'))
    // A node that read edited arguments with the tool's schema corrects the record.
    const ran = events.findLast(({ type, args }) => type === 'interaction_updated' && args !== undefined)
    const recorded = find('interaction_response', 'auth_result')
    expect(response).toEqual(ran ? { ...recorded, args: ran.args } : recorded)
    expect(closed).toEqual(find('interaction_closed'))
    stories.delete(id)
  }
  expect([...stories.keys()], 'questions that the snapshot does not know').toEqual([])
}

const allowed = [
  'interaction_request',
  'interaction_request interaction_response',
  'interaction_request interaction_response interaction_closed',
  'interaction_request interaction_closed',
  'auth_needed',
  'auth_needed auth_progress auth_result',
  'auth_needed auth_result',
]
