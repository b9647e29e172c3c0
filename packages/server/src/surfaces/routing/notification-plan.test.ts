import { describe, expect, test } from 'vitest'
import { stepsOf } from './notification-plan.ts'

const asked = { userId: 'ada', audience: ['bob', 'ada'] }
const known = ['email', 'slack']
const MINUTE = 60_000

describe('the steps of a plan', () => {
  test('by default the owner and the audience are notified everywhere, at once unless a user looks', () => {
    const [first] = stepsOf({}, asked, known)
    expect(first).toEqual({ afterMs: 0, to: ['ada', 'bob'], surfaces: known, reminder: 0, unseenForMs: 30_000 })
  })

  test('number reminders in the order of their times, and place an escalation at its own time', () => {
    const plan = {
      to: ['ada'],
      remind: ['1d', '15m'],
      escalate: [{ after: '2h', to: ['carol', 'carol'], surfaces: ['slack'] }],
    }
    expect(stepsOf(plan, asked, known).map(({ afterMs, reminder, to }) => [afterMs / MINUTE, reminder, to])).toEqual([
      [0, 0, ['ada']],
      [15, 1, ['ada']],
      [120, 0, ['carol']],
      [1_440, 2, ['ada']],
    ])
  })

  test('wait for presence at each step if the plan does', () => {
    const plan = { unseenFor: '30s', remind: ['15m'], escalate: [{ after: '1h', to: ['carol'] }] }
    expect(stepsOf(plan, asked, known).map(({ afterMs, unseenForMs }) => [afterMs, unseenForMs])).toEqual([
      [30_000, 30_000],
      [15 * MINUTE, 30_000],
      [60 * MINUTE, 30_000],
    ])
  })

  test('omit a step without users or surfaces, and contain at most 10 reminders', () => {
    expect(stepsOf({ to: [] }, asked, known)).toEqual([])
    expect(stepsOf({ surfaces: [] }, asked, known)).toEqual([])
    const remind = Array.from({ length: 50 }, (_, n) => `${n + 1}m`)
    expect(stepsOf({ remind }, asked, known)).toHaveLength(11)
  })

  test.each([
    { remind: ['soon'] },
    { remind: [-1] },
    { unseenFor: Number.NaN },
    { escalate: [{ after: '-2h', to: [] }] },
  ])('cannot have an invalid time: %j', (plan) => {
    expect(() => stepsOf(plan, asked, known)).toThrowError(expect.objectContaining({ code: 'invalid_time' }))
  })

  test('cannot have an unknown surface', () => {
    const plans = [{ surfaces: ['fax'] }, { escalate: [{ after: '1h', to: ['carol'], surfaces: ['fax'] }] }]
    for (const plan of plans) expect(() => stepsOf(plan, asked, known)).toThrowError(/"fax".*email, slack/)
  })

  test.each([
    [
      { reminders: ['1d'] },
      'addSurfaces: "reminders" is no option of a route. Use to, surfaces, unseenFor, remind, or escalate.',
    ],
    [{ to: 'ada' }, 'addSurfaces: "to" of the route must be a list, got string.'],
    [{ remind: '1d' }, 'addSurfaces: "remind" of the route must be a list, got string.'],
    [{ escalate: { after: '1d', to: ['lead'] } }, 'addSurfaces: "escalate" of the route must be a list, got object.'],
    [{ escalate: [{ after: '1d', to: 'lead' }] }, 'addSurfaces: "to" of an escalation must be a list, got string.'],
    [{ escalate: [{ to: ['lead'] }] }, '"undefined" is no time.'],
    [
      { escalate: [{ after: '1d', to: ['lead'], user: 'x' }] },
      'addSurfaces: "user" is no option of an escalation. Use after, to, or surfaces.',
    ],
  ])('cannot be made from a mistyped plan: %j', (plan, message) => {
    expect(() => stepsOf(plan as never, asked, known)).toThrowError(message)
  })

  test('do not wait for presence if the plan has no wait', () => {
    const plan = { unseenFor: 0, remind: ['15m'], escalate: [{ after: '1h', to: ['carol'] }] }
    expect(stepsOf(plan, asked, known).map(({ unseenForMs }) => unseenForMs)).toEqual([undefined, undefined, undefined])
  })
})
