import type { InteractionRequestEvent } from '@holdpoint/core/internal'
import { shownDigest } from '@holdpoint/core/wire'
import type { ApproveOptions, Holdpoint } from '@holdpoint/server'
import fc from 'fast-check'
import { expect } from 'vitest'
import { z } from 'zod'
import { person } from '../../engine/support/world.ts'
import { diffOf, type Surface, type SurfaceKind, tab } from './surface.ts'

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

export interface Call {
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

/** Random lives of approvals. */
export const life: fc.Arbitrary<Call[]> = fc.array(
  fc.record({
    amount: fc.constantFrom(1, 2, 3),
    key: fc.constantFrom('all' as const, 'coarse' as const),
    diff: fc.boolean(),
    presses: fc.array(press, { maxLength: 4 }),
  }),
  { minLength: 1, maxLength: 4 },
)

const schema = z.object({ amount: z.number().positive('Must be positive.') })
export type Args = z.output<typeof schema>

/** The question of a tool in a call of a life. */
export function optionsOf({ amount, key, diff }: Pick<Call, 'amount' | 'key' | 'diff'>): ApproveOptions<Args> {
  return {
    ...{ prompt: `Pay ${amount}?`, args: { amount }, editable: true, schema, scopes: ['once', 'session', 'always'] },
    policy: ({ amount }) => amount !== 13 || 'Never 13.',
    risk: 'low',
    ...(key === 'coarse' && { rememberAs: 'coarse' }),
    ...(diff && { diff: diffOf(`pay ${amount}`) }),
  }
}

let lives = 0

/** Lives one life on a surface: each press is held against what was on screen, and against what the tool gets. */
export async function live(holdpoint: Holdpoint, kind: SurfaceKind, calls: readonly Call[]): Promise<void> {
  const name = `life-${++lives}-${crypto.randomUUID()}`
  const surface = await kind.open(name)
  const elsewhere = tab(holdpoint, name)
  const remembered = new Set<string>()
  try {
    for (const [nth, given] of calls.entries()) {
      const call = { ...given, diff: given.diff && kind.showsDiffs !== false }
      const args = { amount: call.amount }
      const shownDiff = call.diff ? diffOf(`pay ${call.amount}`) : undefined
      const covered = call.key === 'coarse' ? 'coarse' : JSON.stringify([args, shownDiff ?? null])
      const ids = { runId: 'run', toolCallId: `call-${nth}`, toolName: 'pay' }
      const session = holdpoint.session(name, { userId: name })
      const asked = surface.begin?.(call) ?? session.toolCall(ids).tryApprove(optionsOf(call))
      // A remembered approval covers what was approved, and only that.
      if (remembered.has(covered)) {
        const result = await asked
        expect(result).toMatchObject({ outcome: 'approved', args })
        if ('remembered' in result) expect(result.remembered).toBe(true)
        continue
      }
      await decide({ surface, elsewhere }, asked, {
        ...{ args, diff: shownDiff, presses: call.presses, remember: () => remembered.add(covered) },
      })
    }
    const events = await person(holdpoint, name, { userId: name }).events()
    const requests = new Map(events.map((event) => [event.interactionId, event] as const).reverse())
    // All prompts of one question have its arguments.
    for (const { type, replaces, args } of events) {
      if (type === 'interaction_request' && replaces) expect(args).toEqual(requests.get(replaces)?.args)
    }
  } finally {
    await surface.close()
  }
}

interface Asked {
  args: Args
  diff: ReturnType<typeof diffOf> | undefined
  presses: readonly Press[]
  remember(): void
}

/** Presses until the question is decided. Another tab of the same user makes the presses that a surface does not offer. */
async function decide(
  { surface, elsewhere }: { surface: Surface; elsewhere: Surface },
  asked: ReturnType<NonNullable<Surface['begin']>>,
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
    const isHere = surface.can({ edits: edited, rejects: rejected.length > 0, stale, scope })
    const outcome = await (isHere ? surface : elsewhere).press(shown, said)
    if (stale) {
      expect(outcome).toBe('shown_differs')
      continue
    }
    if (wider && (edited || rejected.length > 0)) {
      expect(outcome).toBe('scope_not_offered')
      continue
    }
    expect(outcome).toBe('accepted')
    if (!isHere) await surface.answeredElsewhere?.()
    if (edited && (typed.amount <= 0 || typed.amount === 13)) {
      before = shown
      shown = await surface.shows(shown.interactionId)
      if (!surface.hidesDrafts) expect(shown.draftArgs).toEqual(typed)
      continue
    }
    const result = await asked
    // The tool receives the values that were on screen at the press.
    expect(result).toMatchObject({ outcome: 'approved', args: edited ? typed : args })
    if ('remembered' in result) expect(result).toMatchObject({ edited, scope, remembered: false })
    if ('diff' in result) expect(result.diff).toEqual(diff)
    if (diff && 'diffDecisions' in result) expect(result.diffDecisions).toEqual(said.diffDecisions)
    else expect(rejected).toEqual([])
    if (wider) remember()
    return
  }
  throw new Error('The last press is plain, so the question is decided.')
}
