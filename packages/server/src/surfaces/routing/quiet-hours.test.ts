import { describe, expect, test } from 'vitest'
import { quietUntil } from './quiet-hours.ts'

const night = { from: '22:00', to: '07:00', timeZone: 'Europe/Berlin' }
const at = (iso: string) => Date.parse(iso)
const until = (hours: typeof night, iso: string) => {
  const end = quietUntil(hours, at(iso))
  return end === undefined ? undefined : new Date(end).toISOString()
}

describe('quiet hours', () => {
  test.each([
    ['before they begin', '2030-01-10T20:59:59Z', undefined],
    ['as they begin', '2030-01-10T21:00:00Z', '2030-01-11T06:00:00.000Z'],
    ['after midnight', '2030-01-11T02:30:10Z', '2030-01-11T06:00:00.000Z'],
    ['in the last minute', '2030-01-11T05:59:59Z', '2030-01-11T06:00:00.000Z'],
    ['as they end', '2030-01-11T06:00:00Z', undefined],
    // The clocks go forward at 01:00 UTC, and back.
    ['in the night that is an hour shorter', '2030-03-30T22:00:00Z', '2030-03-31T05:00:00.000Z'],
    ['in the night that is an hour longer', '2030-10-26T22:00:00Z', '2030-10-27T06:00:00.000Z'],
  ])('from evening to morning, %s', (_name, now, expected) => {
    expect(until(night, now)).toBe(expected)
  })

  test('can be within one day', () => {
    const noon = { from: '12:00', to: '13:30', timeZone: 'Asia/Kolkata' }
    expect(until(noon, '2030-01-10T06:29:00Z')).toBeUndefined()
    expect(until(noon, '2030-01-10T07:00:00Z')).toBe('2030-01-10T08:00:00.000Z')
  })

  test('with the same begin and end have no effect', () => {
    expect(until({ from: '08:00', to: '08:00', timeZone: 'UTC' }, '2030-01-10T08:00:00Z')).toBeUndefined()
  })

  test.each(['7:00', '24:00', '07:60', '', 'night'])('with an invalid time of day are rejected: %j', (to) => {
    expect(() => quietUntil({ ...night, to }, 0)).toThrowError(/no time of day/)
  })
})
