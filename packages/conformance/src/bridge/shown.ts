import { shownDigest } from '@holdpoint/core/wire'
import { createHoldpoint, type Holdpoint } from '@holdpoint/server'
import { type TestHuman, testHuman } from '@holdpoint/server/testing'
import { readHistory } from '@holdpoint/server/tools'
import fc from 'fast-check'
import { expect } from 'vitest'
import { seedOr } from '../seeded.ts'
import type { BridgeDriver, Stop } from './driver.ts'
import { type Place, storesAt } from './places.ts'
import type { Row } from './run-row.ts'
import { bridgeTools, callOf, type Ran } from './tools.ts'
import { BRIDGE_OPTIONS, OWNER } from './world.ts'

/** All of them in CI; a part elsewhere, where a test run should be short. */
const LIVES = process.env.CI ? 1_000 : 50
const AT_ONCE = 10
const SHOWN = { files: ['a.txt'] }
const EDITED = { files: ['b.txt', 'c.txt'] }

type Press =
  /** A yes with the digest of other arguments. */
  | 'stale'
  /** Resumes that claim an approval while the question is open. */
  | 'claimed'
  /** An edit that the tool forbids, so the question is asked again. */
  | 'forbidden'

interface Life {
  presses: Press[]
  /** How the question is decided. */
  end: 'yes' | 'edited' | 'no'
  /** After the decision, a resume has other arguments under the same ids. */
  swapped: boolean
}

const life: fc.Arbitrary<Life> = fc.record({
  presses: fc.array(fc.constantFrom<Press>('stale', 'claimed', 'forbidden'), { maxLength: 4 }),
  end: fc.constantFrom('yes', 'edited', 'no'),
  swapped: fc.boolean(),
})

/** Rows about what a person sees. */
export const shownRows: readonly Row[] = [
  {
    id: 'shown_is_run',
    async run({ driver, place }) {
      // The session of a driver has one name, so each life has a store of its own.
      const [count, size] = place.kind === 'memory' ? [LIVES, AT_ONCE] : [1, 1]
      const batch = fc.array(life, { minLength: size, maxLength: size })
      const checked = await fc.check(
        fc.asyncProperty(batch, async (all) => void (await Promise.all(all.map((one) => live(driver, place, one))))),
        { numRuns: count / size, seed: seedOr(20261120), endOnFailure: true },
      )
      if (checked.failed) throw checked.errorInstance
    },
  },
]

/** Lives one approval: whatever else arrives, the tool gets what was on screen at the decisive press, or does not run. */
async function live(driver: BridgeDriver, place: Place, { presses, end, swapped }: Life): Promise<void> {
  const ran: Ran[] = []
  const holdpoint = createHoldpoint({ ...BRIDGE_OPTIONS, store: storesAt(place)() })
  const agent = await driver.open({ holdpoint, tools: bridgeTools((one) => ran.push(one)), userId: OWNER })
  const human = testHuman(holdpoint, { userId: OWNER })
  const canEdit = driver.cannot?.edited === undefined
  try {
    let stop = await agent.begin([callOf()])
    let question = await human.next()
    const { sessionId } = question
    let going: Promise<Stop> | undefined
    for (const press of presses) {
      if (press === 'stale') expect(await answerUnseen(holdpoint, question)).toBe('shown_differs')
      if (press === 'claimed') {
        const claims = agent.forgeries(structuredClone(stop.saved)).map(({ resume }) => resume().catch(() => {}))
        // While the tool runs, a resume joins it and waits for the answer.
        await Promise.race([Promise.all(claims), ...(going ? [pause()] : [])])
      }
      if (press === 'forbidden' && driver.cannot?.invalid_edit === undefined) {
        await human.approve(question, { args: { files: ['/'] } })
        going ??= agent.resume(stop.saved)
        question = await human.next()
        // A framework that reported the question again resumes once more. Another one waits for it.
        const second = await Promise.race([going, pause()])
        if (second) stop = second
        if (second) going = undefined
        expect(question.request).toMatchObject({ draftArgs: { files: ['/'] } })
      }
      expect(question.args).toEqual(SHOWN)
      expect(ran).toEqual([])
    }
    const args = end === 'edited' && canEdit ? EDITED : SHOWN
    if (end === 'no') await human.deny(question)
    else await human.approve(question, args === EDITED ? { args } : {})
    if (swapped && !going && agent.withInput) {
      const changed = agent.withInput(structuredClone(stop.saved), 'call-1', { files: ['everything'] })
      await agent.resume(changed).catch(() => {})
      expect(ran).toEqual([])
    }
    const { calls } = await (going ?? agent.resume(stop.saved))
    expect(calls['call-1']?.state).toBe(end === 'no' ? 'not_done' : 'done')
    expect(ran).toEqual(end === 'no' ? [] : [{ tool: 'delete_files', ...args }])
    const log = await readHistory(holdpoint, { sessionId, userId: OWNER })
    const mine = log.filter((event) => event.interactionId === question.interactionId)
    const [asked, answered, ...later] = mine
    expect(asked).toMatchObject({ type: 'interaction_request', args: SHOWN })
    expect(answered).toMatchObject({ type: 'interaction_response', action: end === 'no' ? 'deny' : 'approve' })
    expect(later).toEqual([])
    expect(answered?.args ?? SHOWN).toEqual(args)
  } finally {
    await agent.close?.()
    await holdpoint.close()
  }
}

const pause = () => new Promise<undefined>((resolve) => setTimeout(resolve, 50, undefined))

/** Sends the approval of a client that shows other arguments. */
async function answerUnseen(
  holdpoint: Holdpoint,
  { request, sessionId, interactionId }: Awaited<ReturnType<TestHuman['next']>>,
) {
  const outcome = await holdpoint.answer({
    ...{ principal: { userId: OWNER }, sessionId, interactionId },
    ...{ answerId: crypto.randomUUID(), clientId: 'elsewhere' },
    answer: { action: 'approve', shownDigest: shownDigest({ ...request, args: { files: ['another'] } } as never) },
  })
  return outcome.status === 'refused' ? outcome.code : outcome.status
}
