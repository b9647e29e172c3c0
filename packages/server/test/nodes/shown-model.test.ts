import { createHoldpointClient } from '@holdpoint/core'
import type { InteractionRequestEvent } from '@holdpoint/core/internal'

import { shownDigest } from '@holdpoint/core/wire'
import type { Approved, Holdpoint, Refused } from '@holdpoint/server'
import { localTransport } from '@holdpoint/server'
import { memoryStore } from '@holdpoint/server/memory'
import type { Store } from '@holdpoint/server/store'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { open, person } from '../engine/support/world.ts'
import { openStore } from './open-store.ts'
import { onStores } from './places.ts'

/** Random lives of approvals, held against what was on screen at each press. */
type Scope = 'once' | 'session' | 'always'
interface Press {
  /** Which amount the person types; absent: no edit. */
  amount?: number
  scope: Scope
  /** Which hunks are rejected. */
  reject: readonly ('h1' | 'h2')[]
  /** Press on what an earlier prompt showed. */
  stale: boolean
}
interface Call {
  amount: number
  key: 'all' | 'coarse'
  diff: boolean
  presses: readonly Press[]
}

const amount = fc.constantFrom(-1, 13, 1, 2, 3)
const press: fc.Arbitrary<Press> = fc.record(
  {
    amount,
    scope: fc.constantFrom<Scope>('once', 'session', 'always'),
    reject: fc.subarray<'h1' | 'h2'>(['h1', 'h2']),
    stale: fc.boolean(),
  },
  { requiredKeys: ['scope', 'reject', 'stale'] },
)
const life: fc.Arbitrary<Call[]> = fc.array(
  fc.record({
    amount: fc.constantFrom(1, 2, 3),
    key: fc.constantFrom('all' as const, 'coarse' as const),
    diff: fc.boolean(),
    presses: fc.array(press, { maxLength: 4 }),
  }),
  { minLength: 1, maxLength: 4 },
)

const diffOf = (text: string) => [
  { path: 'a', hunks: ['h1', 'h2'].map((id) => ({ id, oldStart: 1, newStart: 1, lines: [`+${text}`] })) },
]
const schema = z.object({ amount: z.number().positive('Must be positive.') })

/** How a press reaches the server: as a bare message, or through the client and its state. */
interface Surface {
  /** The open question, other than `not`; what is on screen. */
  shows(not: string): Promise<InteractionRequestEvent>
  press(shown: InteractionRequestEvent, said: object): Promise<string>
  close(): void
}

function bare(holdpoint: Holdpoint, sessionId: string, userId: string): Surface {
  const someone = person(holdpoint, sessionId, { userId })
  return {
    async shows(not) {
      for (;;) {
        const found = (await someone.next()) as unknown as InteractionRequestEvent
        if (found.interactionId !== not) return found
        await new Promise((resolve) => setTimeout(resolve, 1))
      }
    },
    async press(shown, said) {
      const { status, body } = await someone.answer(shown, { shownDigest: shownDigest(shown), ...said })
      return status === 200 ? 'accepted' : (body as { error: { code: string } }).error.code
    },
    close: () => {},
  }
}

function throughClient(holdpoint: Holdpoint, sessionId: string, userId: string): Surface {
  const transport = localTransport(holdpoint, { userId })
  // Each stale press makes the client read anew, and it pauses between attempts; this test does not wait for that.
  const client = createHoldpointClient({ sessionId, transport, maxRetryDelayMs: 1 })
  client.connect()
  return {
    shows: (not) =>
      new Promise((resolve) => {
        const look = () => {
          const { pendingIds, interactions } = client.getSnapshot()
          const id = pendingIds.find((one) => one !== not && interactions.get(one)?.status === 'pending')
          const request = id === undefined ? undefined : interactions.get(id)?.request
          if (!request) return
          leave()
          resolve(request as InteractionRequestEvent)
        }
        const leave = client.subscribe(look)
        look()
      }),
    async press(shown, said) {
      const result = await client.respond(shown.interactionId, { action: 'approve', ...said })
      return result.status === 'invalid' ? result.problem.code : result.status
    },
    close: () => client.close(),
  }
}

let lives = 0

async function live(holdpoint: Holdpoint, surfaceOf: typeof bare, calls: readonly Call[]): Promise<void> {
  const name = `life-${++lives}-${crypto.randomUUID()}`
  const surface = surfaceOf(holdpoint, name, name)
  const session = holdpoint.session(name, { userId: name })
  const remembered = new Set<string>()
  try {
    for (const [nth, { amount, key, diff, presses }] of calls.entries()) {
      const ids = { runId: 'run', toolCallId: `call-${nth}`, toolName: 'pay' }
      const args = { amount }
      const shownDiff = diff ? diffOf(`pay ${amount}`) : undefined
      const covered = key === 'coarse' ? 'coarse' : JSON.stringify([args, shownDiff ?? null])
      const asked: Promise<Approved<typeof args> | Refused> = session.toolCall(ids).tryApprove({
        ...{ prompt: `Pay ${amount}?`, args, editable: true, schema, scopes: ['once', 'session', 'always'] as const },
        policy: ({ amount }) => amount !== 13 || 'Never 13.',
        ...(key === 'coarse' && { key: 'coarse' }),
        ...(shownDiff && { diff: shownDiff }),
      })
      // A remembered approval covers what was approved, and only that.
      if (remembered.has(covered)) {
        expect(await asked).toMatchObject({ outcome: 'approved', remembered: true, args })
        continue
      }
      await decide(surface, asked, { args, diff: shownDiff, presses, remember: () => remembered.add(covered) })
    }
    const events = await person(holdpoint, name, { userId: name }).events()
    const requests = new Map(events.map((event) => [event.interactionId, event] as const).reverse())
    // All prompts of one question have its arguments.
    for (const { type, replaces, args } of events) {
      if (type === 'interaction_request' && replaces) expect(args).toEqual(requests.get(replaces)?.args)
    }
  } finally {
    surface.close()
  }
}

interface Asked {
  args: { amount: number }
  diff: ReturnType<typeof diffOf> | undefined
  presses: readonly Press[]
  remember(): void
}

/** Presses until the question is decided; each press is held against what was on screen. */
async function decide(
  surface: Surface,
  asked: Promise<Approved<{ amount: number }> | Refused>,
  { args, diff, presses, remember }: Asked,
): Promise<void> {
  let shown = await surface.shows('')
  let before: InteractionRequestEvent | undefined
  const plain: Press = { scope: 'once', reject: [], stale: false }
  for (const { amount, scope, reject, stale } of [...presses, plain]) {
    expect(shown.args).toEqual(args)
    expect(shown.diff).toEqual(diff)
    const typed = amount === undefined ? undefined : { amount }
    const edited = typed !== undefined && typed.amount !== args.amount
    const rejected = diff ? reject : []
    const said = {
      action: 'approve',
      approvalScope: scope,
      ...(typed && { args: typed }),
      ...(diff && {
        diffDecisions: { h1: 'accept', h2: 'accept', ...Object.fromEntries(rejected.map((id) => [id, 'reject'])) },
      }),
      ...(stale && { shownDigest: shownDigest(before ?? { ...shown, args: { amount: 0 } }) }),
    }
    const wider = scope !== 'once'
    const outcome = await surface.press(shown, said)
    if (stale) {
      expect(outcome).toBe('shown_differs')
      continue
    }
    if (wider && (edited || rejected.length > 0)) {
      expect(outcome).toBe('scope_not_offered')
      continue
    }
    expect(outcome).toBe('accepted')
    if (edited && (typed.amount <= 0 || typed.amount === 13)) {
      before = shown
      shown = await surface.shows(shown.interactionId)
      expect(shown.draftArgs).toEqual(typed)
      continue
    }
    const result = await asked
    // What was on screen at the press is what the tool gets.
    expect(result).toMatchObject({ outcome: 'approved', args: edited ? typed : args, edited, scope, remembered: false })
    if (result.outcome === 'approved') {
      expect(result.diff).toEqual(diff)
      if (diff) expect(result.diffDecisions).toEqual(said.diffDecisions)
    }
    if (wider) remember()
    return
  }
  throw new Error('The last press is plain, so the question is decided.')
}

const BATCH = 50
async function liveAll(count: number, store: Store, surfaceOf: typeof bare): Promise<void> {
  const holdpoint = open({ store })
  const batch = fc.array(life, { minLength: BATCH, maxLength: BATCH })
  await fc.assert(
    fc.asyncProperty(batch, async (all) => {
      await Promise.all(all.map((calls) => live(holdpoint, surfaceOf, calls)))
    }),
    // A failure hangs as often as it throws, and a shrinking run would hang with it.
    { numRuns: count / BATCH, seed: 20261119, endOnFailure: true },
  )
}

describe('memory', () => onEachSurface(memoryStore))

await onStores('shown', ['sqlite', 'postgres', 'redis'], (world) => onEachSurface(() => openStore(world().store)))

function onEachSurface(openNew: () => Store): void {
  for (const [name, surfaceOf] of [['bare messages', bare] as const, ['the client', throughClient] as const]) {
    test(
      `in 1,000 random lives through ${name} the arguments on screen are those that the tool gets and the log records [HP-SHN-4]`,
      { timeout: 240_000 },
      () => liveAll(1_000, openNew(), surfaceOf),
    )
  }
}
