import { seedOr } from '@holdpoint/conformance/seeded'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Action, CALLS, type Sight, type Step } from './model/actions.ts'
import { Reference } from './model/reference.ts'
import { System } from './model/system.ts'
import { checkHistory } from './support/check-history.ts'

/**
 * The engine against a second, simple writing-down of its state machine: random schedules of asking, answering,
 * cancelling, time and death. HOLDPOINT_SCHEDULES: how many; HOLDPOINT_SEED: which.
 */
const RUNS = Number(process.env.HOLDPOINT_SCHEDULES ?? 300)
const SEED = seedOr(7)

const call = fc.nat({ max: CALLS - 1 })
const nth = fc.nat({ max: 2 })
const action: fc.Arbitrary<Action> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ type: fc.constant('ask' as const), call, variant: fc.constantFrom(0, 1, 2) }) },
  {
    weight: 7,
    arbitrary: fc.record({
      type: fc.constant('answer' as const),
      call,
      nth,
      action: fc.constantFrom('approve', 'deny'),
      // Few ids, so that they are used again: by a retry, and by mistake.
      id: fc.constantFrom('a', 'b', 'c'),
    }),
  },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('cancel question' as const), call, nth }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('cancel run' as const), run: fc.nat({ max: 1 }) }) },
  { weight: 1, arbitrary: fc.constant({ type: 'decline' as const }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('extend' as const), call, nth }) },
)
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 8, arbitrary: fc.record({ type: fc.constant('one' as const), action }) },
  { weight: 5, arbitrary: fc.record({ type: fc.constant('both' as const), actions: fc.tuple(action, action) }) },
  {
    weight: 2,
    arbitrary: fc.record({ type: fc.constant('time' as const), ms: fc.constantFrom(1_000, 15_000, 25_000, 61_000) }),
  },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('kill' as const) }) },
)

/** All that a step may lead to; more than one when two things happen at the same moment. */
function possible(before: Reference, step: Step): Reference[] {
  const branch = (...moves: ((twin: Reference) => void)[]) => {
    const twin = before.copy()
    twin.startStep()
    for (const move of moves) move(twin)
    twin.handle()
    return twin
  }
  if (step.type === 'time') return [branch((twin) => twin.pass(step.ms))]
  if (step.type === 'kill')
    return [
      branch(
        (twin) => twin.kill(),
        (twin) => twin.pass(4_000),
      ),
    ]
  if (step.type === 'one') return [branch((twin) => twin.do(step.action, 0))]
  const [first, second] = step.actions
  const a = (twin: Reference) => twin.do(first, 0)
  const b = (twin: Reference) => twin.do(second, 1)
  const handle = (twin: Reference) => twin.handle()
  // The tool may deal with an answer before or after the other thing happens.
  return [branch(a, b), branch(b, a), branch(a, handle, b), branch(b, handle, a)]
}

async function perform(system: System, step: Step): Promise<string[]> {
  if (step.type === 'time') await system.pass(step.ms)
  else if (step.type === 'kill') await system.kill()
  else if (step.type === 'one') return [await system.do(step.action)]
  else return await Promise.all(step.actions.map((one) => system.do(one)))
  return []
}

const same = (a: Sight, b: Sight) => JSON.stringify(a) === JSON.stringify(b)

test(`the engine behaves as its reference model in ${RUNS} random schedules, seed ${SEED}`, {
  timeout: 30_000 + RUNS * 500,
}, async () => {
  const property = fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 25 }), async (steps) => {
    const system = new System()
    let reference = new Reference()
    try {
      for (const one of steps) {
        const replies = await perform(system, one)
        const seen = await system.sight(replies)
        const expected = possible(reference, one)
        const match = expected.find(({ sight }) => same(sight, seen))
        if (!match) expect(seen, `after ${JSON.stringify(one)}`).toEqual(expected[0]?.sight)
        reference = match!
      }
      await checkHistory(system.observer, [])
    } finally {
      await (await system.close()).close()
    }
  })
  await fc.assert(property, { numRuns: RUNS, seed: SEED })
})
