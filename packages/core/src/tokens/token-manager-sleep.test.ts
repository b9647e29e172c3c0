import { describe, expect, test } from 'vitest'
import { signedIn } from './testing/signed-in.ts'

const MINUTE = 60_000

describe('h: a machine that slept [Mh.1]', () => {
  test('expiry follows the clock instead of timers, and a wake-up refreshes', async () => {
    const { tokens, service, time } = await signedIn()
    const stop = tokens.keepFresh()
    time.sleep(45 * MINUTE)
    expect(service.seen).toEqual([])
    time.happen('visible')
    await time.settle()
    expect(service.seen).toEqual(['refresh-0'])
    time.sleep(45 * MINUTE)
    await time.advance(30_000)
    expect(service.seen).toEqual(['refresh-0', 'refresh-1'])
    stop()
    tokens.close()
    expect(time.pendingTimers()).toBe(0)
  })

  test('keepFresh() for a day keeps every caller from waiting', async () => {
    const { tokens, service, time } = await signedIn()
    tokens.keepFresh()
    for (let hour = 0; hour < 24; hour++) {
      await time.advance(60 * MINUTE)
      const warm = tokens.token()
      expect(tokens.token()).toBe(warm)
    }
    expect(service.seen.length).toBeGreaterThan(50)
    expect(service.seen.length).toBeLessThan(65)
    tokens.close()
  })
})
