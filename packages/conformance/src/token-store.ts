import type { AccountRecord } from '@holdpoint/core/internal'
import type { TokenStore } from '@holdpoint/core/tokens'
import { afterEach, describe, expect, test } from 'vitest'

/** The functions of a driver that the suite needs. */
export interface TokenStoreHarness {
  /** A store on empty storage. `again()` opens the same storage as another tab or process does. */
  open(): Promise<{ store: TokenStore; again(): Promise<TokenStore>; close?(): Promise<void> }>
}

/**
 * Runs the tests that every token store must pass.
 *
 * @example tokenStoreSuite('memory', { open: async () => { const store = memoryTokenStore(); return { store, again:
 * async () => store } } })
 */
export function tokenStoreSuite(name: string, harness: TokenStoreHarness): void {
  describe(`token store: ${name}`, () => {
    let count = 0
    const record = (tokens: AccountRecord['tokens'] = { accessToken: `token-${++count}` }): AccountRecord => ({
      version: `${++count}.x`,
      tokens,
      data: { session_id: `s-${count}` },
    })
    const closing: (() => Promise<void>)[] = []
    afterEach(async () => {
      for (const close of closing.splice(0)) await close()
    })
    const open = async () => {
      const ground = await harness.open()
      if (ground.close) closing.push(ground.close)
      return ground
    }

    test('a new store is empty', async () => {
      const { store } = await open()
      expect(await store.read('slack')).toBeNull()
    })

    test('a written record is read completely, by this and by other instances', async () => {
      const { store, again } = await open()
      const next = record({
        accessToken: 'ä"\n\u0000😀',
        refreshToken: 'r',
        expiresAt: 1.5e12,
        obtainedAt: 1,
        scopes: ['a'],
      })
      expect(await store.write('slack', null, next)).toBe(true)
      expect(await store.read('slack')).toEqual(next)
      // A store that asks other tabs waits a bounded time for their response. A busy machine may need a second read.
      const elsewhere = await again()
      await expect.poll(() => elsewhere.read('slack'), { timeout: 10_000 }).toEqual(next)
    })

    test('a write that expects another version changes nothing', async () => {
      const { store } = await open()
      const first = record()
      expect(await store.write('slack', '1.x', record())).toBe(false)
      expect(await store.write('slack', null, first)).toBe(true)
      expect(await store.write('slack', null, record())).toBe(false)
      expect(await store.write('slack', '1.x', record())).toBe(false)
      expect(await store.read('slack')).toEqual(first)
    })

    test('a sign-out is remembered, together with the records that outlive it', async () => {
      const { store, again } = await open()
      const first = record()
      const gone = { ...record(null), lost: true }
      await store.write('slack', null, first)
      expect(await store.write('slack', first.version, gone)).toBe(true)
      expect(await (await again()).read('slack')).toEqual(gone)
    })

    test('of fifty writers over several instances exactly one wins each round', async () => {
      const { store, again } = await open()
      const sides = [store, await again(), await again()]
      let expected: string | null = null
      for (let round = 0; round < 5; round++) {
        const attempts = Array.from({ length: 50 }, (_, n) => ({ side: sides[n % sides.length]!, next: record() }))
        const won = await Promise.all(attempts.map(({ side, next }) => side.write('slack', expected, next)))
        expect(won.filter(Boolean)).toHaveLength(1)
        const winner = attempts[won.indexOf(true)]!.next
        for (const side of sides) expect(await side.read('slack')).toEqual(winner)
        expected = winner.version
      }
    })

    test.each([
      ['Slack', 'slack'],
      ['../../etc/passwd', 'etc/passwd'],
      ['.', '..'],
      ['__proto__', 'constructor'],
      ['a b', 'a%20b'],
      ['ключ', 'x'.repeat(300)],
      ['con', 'nul'],
      ['a:b', 'a/b'],
    ])('accounts %j and %j are separate', async (one, other) => {
      const { store, again } = await open()
      const [first, second] = [record(), record()]
      expect(await store.write(one, null, first)).toBe(true)
      expect(await store.read(other)).toBeNull()
      expect(await store.write(other, null, second)).toBe(true)
      const elsewhere = await again()
      // Tabs that keep tokens in memory ask each other, and a busy one may answer the second time only.
      const both = async () => [await elsewhere.read(one), await elsewhere.read(other)]
      await expect.poll(both).toEqual([first, second])
    })

    test('a subscriber is notified of a write by another instance, and not after it unsubscribed', async ({ skip }) => {
      const { store, again } = await open()
      if (!store.subscribe) return skip('this store does not notify; it is read again when needed')
      let heard = 0
      const leave = store.subscribe('slack', () => heard++)
      const other = await again()
      const first = record()
      await other.write('slack', null, first)
      await expect.poll(() => heard).toBeGreaterThan(0)
      expect(await store.read('slack')).toEqual(first)
      leave()
      const before = heard
      await other.write('slack', first.version, record())
      await new Promise((done) => setTimeout(done, 50))
      expect(heard).toBe(before)
    })
  })
}
