import { describe, expect, test } from 'vitest'
import type { TransportFailure } from '../transport/types.ts'
import { connectionOf, initialLink, type Link, type LinkEvent, nextConnection, wakeAt } from './connection.ts'

const config = { heartbeatTimeoutMs: 45_000, maxRetryDelayMs: 30_000, slowAfterMs: 300_000, restMs: 30_000 }
const fresh = initialLink(config, true)
type Step = [at: number, event: LinkEvent, chance?: number]

function play(link: Link, ...steps: Step[]): Link {
  for (const [now, event, chance = 0.5] of steps) link = nextConnection(link, event, { now, chance })
  return link
}
const fails = (code: TransportFailure['code'], retryAfterMs?: number): TransportFailure => ({
  code,
  message: code,
  ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
})
const opened = play(fresh, [0, 'start'], [10, 'snapshot'], [20, 'open'])

test('a snapshot precedes the stream, and each is a separate step', () => {
  const first = play(fresh, [0, 'start'])
  expect(first).toMatchObject({ phase: 'snapshot', work: 1 })
  expect(play(first, [10, 'snapshot'])).toMatchObject({ phase: 'opening', work: 2, stale: false })
  expect(connectionOf(first)).toMatchObject({ status: 'connecting', attempt: 0 })
  expect(connectionOf(opened)).toMatchObject({ status: 'open', attempt: 0 })
})

describe('failures', () => {
  test('of a visible page are retried within 3 s, for about 40 attempts, so that a restart of the server is noticed soon', () => {
    let link = play(opened, [6_000, fails('network'), 0.999])
    const waits = [link.patience]
    for (let i = 0; i < 44; i++) {
      const now = wakeAt(link)
      link = play(link, [now, 'tick'], [now, fails('network'), 0.999])
      waits.push(link.patience)
    }
    const seconds = waits.map((ms) => Math.round(ms / 100) / 10)
    expect(seconds.slice(0, 4)).toEqual([1, 2, 3, 3])
    expect(Math.max(...seconds.slice(0, 40))).toBe(3)
    expect(seconds.at(-1)).toBe(30)
  })

  test('of a hidden page are retried after a random part of a doubling pause, up to a limit', () => {
    let link = play(opened, [6_000, 'hidden'], [6_000, fails('network'), 0.999])
    const waits = [link.patience]
    for (let i = 0; i < 9; i++) {
      const now = wakeAt(link)
      link = play(link, [now, 'tick'], [now, fails('network'), 0.999])
      waits.push(link.patience)
    }
    expect(waits.map((ms) => Math.round(ms / 100) / 10)).toEqual([1, 2, 4, 8, 16, 30, 30, 30, 30, 30])
    expect(play(opened, [6_000, fails('network'), 0]).patience).toBe(0)
    expect(connectionOf(link)).toMatchObject({ status: 'reconnecting', attempt: 10, error: { code: 'network' } })
  })

  test('report when the next attempt is due', () => {
    const waiting = play(opened, [6_000, fails('network'), 0.5])
    expect(connectionOf(waiting).retryAt).toBe(6_500)
    expect(connectionOf(play(waiting, [6_500, 'tick'])).retryAt).toBeUndefined()
  })

  test('continue to be counted if the server accepts connections and drops them at once', () => {
    const flapping = play(opened, [30, fails('ended')], [500, 'tick'], [510, 'open'], [520, fails('ended')])
    expect(flapping.failures).toBe(2)
    const settled = play(flapping, [5_000, 'tick'], [5_010, 'open'], [60_000, fails('ended')])
    expect(settled.failures).toBe(1)
  })

  test('are followed by a pause of at least Retry-After, up to a limit', () => {
    expect(play(opened, [6_000, fails('rate_limited', 7_000), 0.5]).patience).toBe(7_500)
    expect(play(opened, [6_000, fails('rate_limited', 1e12), 0]).patience).toBe(600_000)
  })

  test('of a session that does not exist yet are retried without a report, quickly at first', () => {
    let link = play(fresh, [0, 'start'])
    const waits: number[] = []
    for (let i = 0; i < 20; i++) {
      link = play(link, [0, fails('not_found'), 0.999])
      waits.push(Math.round(link.patience))
      expect(connectionOf(link)).toEqual({ status: 'connecting', attempt: 0, retryAt: undefined, error: undefined })
      link = play(link, [link.patience, 'tick'])
    }
    expect(waits.slice(0, 4)).toEqual([300, 450, 675, 1_012])
    expect(waits.at(-1)).toBeLessThanOrEqual(2_000)
  })

  test('of authentication have their own status until a connection works', () => {
    const refused = play(opened, [6_000, fails('unauthorized')])
    expect(connectionOf(refused).status).toBe('unauthorized')
    expect(connectionOf(play(refused, [7_000, 'tick'])).status).toBe('unauthorized')
    expect(connectionOf(play(refused, [7_000, 'tick'], [7_100, 'open'])).status).toBe('open')
    expect(play(refused, [6_001, 'start'])).toMatchObject({ phase: 'opening', failures: 0 })
  })
})

describe('silence', () => {
  test('of a stream, a connection attempt or a snapshot ends it', () => {
    expect(play(opened, [45_019, 'tick']).phase).toBe('open')
    expect(play(opened, [45_020, 'tick'])).toMatchObject({ phase: 'waiting', failure: { code: 'silent' } })
    expect(play(opened, [30_000, 'received'], [45_020, 'tick']).phase).toBe('open')
    expect(play(fresh, [0, 'start'], [45_000, 'tick']).phase).toBe('waiting')
    expect(play(fresh, [0, 'start'], [0, 'snapshot'], [45_000, 'tick']).phase).toBe('waiting')
  })

  test('a clock that is set back neither ends a stream nor extends a pause', () => {
    const link = play(opened, [-1e9, 'tick'])
    expect(link.phase).toBe('open')
    expect(play(link, [-1e9 + 45_000, 'tick']).phase).toBe('waiting')
    expect(play(opened, [6_000, fails('network')], [-1e9, 'tick']).phase).toBe('opening')
  })

  test('a clock that stands still does not count as set back, and a pause continues', () => {
    expect(play(opened, [6_000, fails('network')], [6_000, 'tick']).phase).toBe('waiting')
  })

  test('a clock that was set back makes a stream neither younger than it is nor started in the future', () => {
    const flapping = play(opened, [30, fails('ended')], [1_000, 'tick'], [1_010, 'open'])
    const proven = play(flapping, [30_000, 'received'], [20_000, 'tick'], [20_500, fails('ended')])
    expect(proven.failures).toBe(1)
    const unproven = play(flapping, [-1e9, 'tick'], [-1e9 + 500, fails('ended')])
    expect(unproven.failures).toBe(2)
    const slow = play(opened, [30, 'hidden'], [290_000, 'received'], [301_000, 'tick'], [330_000, 'tick'])
    const looking = play(slow, [330_010, 'open'], [310_000, 'tick'])
    expect([looking.phase, wakeAt(looking)]).toEqual(['open', 313_000])
  })

  test('a clock that jumps ahead, as after sleep, triggers a check', () => {
    expect(play(opened, [1e9, 'tick']).phase).toBe('waiting')
  })
})

test('a reset or a gap is repaired at once, and after a failed repair with growing pauses', () => {
  expect(play(opened, [30, 'reset'])).toMatchObject({ phase: 'snapshot', stale: true })
  const first = play(opened, [30, 'gap'])
  expect(first).toMatchObject({ phase: 'opening', stale: false })
  const second = play(first, [50, 'open'], [60, 'gap'])
  expect(second).toMatchObject({ phase: 'waiting', failures: 2, patience: 1_000 })
  expect(play(second, [1_060, 'tick']).phase).toBe('opening')
})

describe('the connection of a page', () => {
  test('is not attempted while the page is offline', () => {
    const offline = play(opened, [30, 'offline'])
    expect(connectionOf(offline).status).toBe('offline')
    expect(wakeAt(offline)).toBe(Number.POSITIVE_INFINITY)
    expect(play(offline, [1e9, 'tick'], [1e9, 'visible'])).toMatchObject({ phase: 'offline' })
    expect(play(offline, [40, 'online']).phase).toBe('opening')
    expect(play(opened, [30, 'online'])).toBe(opened)
  })

  test('is opened for short checks if the page is hidden for long, and at once when it is visible again', () => {
    const hidden = play(opened, [1_000, 'hidden'], [290_000, 'received'])
    expect(wakeAt(hidden)).toBe(301_000)
    expect(play(hidden, [300_999, 'tick']).phase).toBe('open')
    const resting = play(hidden, [301_000, 'tick'])
    expect(resting).toMatchObject({ phase: 'resting', slow: true, patience: 22_500 })
    expect(connectionOf(resting).status).toBe('open')
    const looking = play(resting, [323_500, 'tick'], [323_600, 'open'])
    expect(looking.phase).toBe('open')
    expect(wakeAt(looking)).toBe(326_600)
    expect(play(looking, [326_600, 'tick']).phase).toBe('resting')
    expect(play(resting, [310_000, 'visible'])).toMatchObject({ phase: 'opening', slow: false })
  })

  test('uses the second transport, if there is one, and stays open if the page is hidden for long', () => {
    const other = initialLink({ ...config, restMs: 0 }, false)
    const hidden = play(other, [0, 'start'], [10, 'open'], [1_000, 'hidden'], [290_000, 'received'], [301_000, 'tick'])
    expect(hidden).toMatchObject({ phase: 'opening', slow: true })
    const open = play(hidden, [301_100, 'open'])
    expect(play(open, [330_000, 'tick'])).toBe(open)
    expect(play(open, [330_000, 'visible'])).toMatchObject({ phase: 'opening', slow: false })
  })

  test('is not changed by a short time in the background, and is checked after a long silence', () => {
    const glance = play(opened, [1_000, 'hidden'], [2_000, 'visible'])
    expect(glance).toMatchObject({ phase: 'open', work: opened.work })
    expect(play(opened, [1_000, 'hidden'], [30_000, 'visible']).phase).toBe('opening')
  })

  test('is closed while the page is in the back-forward cache, and opened when the page is restored', () => {
    const frozen = play(opened, [1_000, 'frozen'])
    expect(frozen.phase).toBe('resting')
    expect(play(frozen, [1e9, 'tick'], [-5, 'tick']).phase).toBe('resting')
    expect(play(frozen, [1e9, 'thawed']).phase).toBe('opening')
  })

  test('is not opened by any event before the start and after the end', () => {
    for (const link of [fresh, play(opened, [30, 'close'])]) {
      for (const type of ['online', 'offline', 'visible', 'hidden', 'thawed', 'frozen', 'tick'] as const)
        expect(play(link, [1_000, type]).work).toBe(link.work)
    }
    expect(play(opened, [30, 'close'], [40, 'start']).phase).toBe('opening')
  })
})
