import { seeded } from '@holdpoint/conformance/seeded'
import { createHoldpointClient, sse } from '@holdpoint/core'
import type { InboxPage } from '@holdpoint/core/internal'
import { createHoldpoint } from '@holdpoint/server'
import { memoryStore } from '@holdpoint/server/memory'
import type { Store } from '@holdpoint/server/store'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openStore } from '../nodes/open-store.ts'
import { onStores } from '../nodes/places.ts'
import { ADA, call, person } from './support/world.ts'

const PEOPLE = Array.from({ length: 50 }, (_, n) => `person-${n}`)
const QUESTIONS = 12
const quiet = { debug() {}, info() {}, warn() {}, error() {} }

/** Fifty people press "Approve all" at once: over HTTP, each with a client of their own. */
function suite(make: () => Store) {
  test('50 people approve all at once: each question has one winner, and each person an outcome for each', async () => {
    const holdpoint = createHoldpoint({
      store: make(),
      name: crypto.randomUUID(),
      logger: quiet,
      authenticate: (request) => ({ userId: request.headers.get('x-user') ?? '' }),
      http: { rateLimit: { burst: 10_000, perSecond: 10_000 } },
    })
    onTestFinished(() => holdpoint.close())
    const asked = Array.from({ length: QUESTIONS }, (_, n) =>
      holdpoint
        .session('chat', ADA)
        .toolCall(call(`c${n}`, 'run-1', 'read_file'))
        .tryApprove({ prompt: `Read ${n}?`, args: { n }, risk: 'low', audience: PEOPLE }),
    )
    await person(holdpoint).pending(QUESTIONS)
    const random = seeded(20_261)
    const at = 'https://app.example'
    const outcomes = await Promise.all(
      PEOPLE.map(async (userId) => {
        const fetch: typeof globalThis.fetch = (input, init) => {
          const request = new Request(new URL(String(input), at), init)
          request.headers.set('x-user', userId)
          request.headers.set('origin', at)
          request.headers.set('host', 'app.example')
          return holdpoint.fetch(request)
        }
        const { items } = (await (await fetch('/holdpoint/inbox')).json()) as InboxPage
        expect(items).toHaveLength(QUESTIONS)
        const client = createHoldpointClient({
          ...{ sessionId: 'chat', clientId: userId, autoConnect: false },
          transport: sse({ url: '/holdpoint', fetch }),
          initial: {
            snapshot: {
              ...{ cursor: '', serverTime: new Date().toISOString(), runs: [] },
              you: { userId, can: ['respond'] },
              interactions: items.map(({ interaction }) => interaction),
            },
          },
        })
        const ids = items.map(({ interaction }) => String(interaction.request.interactionId))
        const order = ids.map((id) => ({ id, at: random() })).sort((one, other) => one.at - other.at)
        return await client.respondAll(order.map(({ id }) => ({ interactionId: id, answer: { action: 'approve' } })))
      }),
    )
    const all = outcomes.flat()
    expect(all).toHaveLength(PEOPLE.length * QUESTIONS)
    const winners = new Map<string, number>()
    for (const { interactionId, outcome } of all)
      if (outcome === 'accepted') winners.set(interactionId, (winners.get(interactionId) ?? 0) + 1)
    expect([...winners.values()]).toEqual(Array(QUESTIONS).fill(1))
    expect(all.filter(({ outcome }) => outcome === 'conflict')).toHaveLength((PEOPLE.length - 1) * QUESTIONS)
    for (const approved of await Promise.all(asked)) expect(approved).toMatchObject({ outcome: 'approved' })
    const responses = (await person(holdpoint).events()).filter(({ type }) => type === 'interaction_response')
    expect(responses).toHaveLength(QUESTIONS)
    // The winner that the log names is the one whose answer was accepted.
    const named = outcomes.flatMap((each, index) =>
      each.filter(({ outcome }) => outcome === 'accepted').map(({ interactionId }) => [interactionId, PEOPLE[index]]),
    )
    expect(responses.map((one) => [one.interactionId, (one.respondedBy as { userId: string }).userId]).sort()).toEqual(
      named.sort(),
    )
  }, 120_000)
}

describe('respondAll on memory', () => suite(() => memoryStore()))
await onStores('respondAll', ['sqlite', 'postgres', 'redis'], (world) => suite(() => openStore(world().store)))
