import { expect, test } from 'vitest'
import { memoryTokenStore } from './memory-token-store.ts'
import { signedIn } from './testing/signed-in.ts'
import type { TokenStore } from './types.ts'

const MINUTE = 60_000

/** Takes tokens back in its own time, and fails at the end. */
function deafService() {
  const revoked: string[] = []
  const revoke = async ({ accessToken }: { accessToken: string }) => {
    await new Promise((done) => setTimeout(done))
    revoked.push(accessToken)
    throw new Error('gone')
  }
  return { revoke, revoked }
}

test('after close the manager refreshes nothing, watches no store and notifies no listener', async () => {
  const { tokens, make, time, service } = await signedIn()
  const heard: string[] = []
  tokens.subscribe(() => heard.push(tokens.status()))
  tokens.keepFresh()
  tokens.keepFresh()
  expect(time.pendingTimers()).toBe(2)
  tokens.close()
  expect(time.pendingTimers()).toBe(0)
  time.happen('visible')
  await time.advance(26 * MINUTE)
  expect(service.seen).toEqual([])
  await make().signOut()
  await time.settle()
  expect([tokens.status(), heard]).toEqual(['signed-in', []])
  await tokens.signOut()
  expect([tokens.status(), heard]).toEqual(['signed-out', []])
})

test('keepFresh() of one caller can be stopped without stopping that of another', async () => {
  const { tokens, time, service } = await signedIn()
  const stop = tokens.keepFresh()
  tokens.keepFresh()
  stop()
  stop()
  expect(time.pendingTimers()).toBe(1)
  await time.advance(26 * MINUTE)
  expect(service.seen).toEqual(['refresh-0'])
  tokens.close()
})

test('keepFresh() pauses if the service is unreachable, without an unhandled rejection', async () => {
  const { tokens, time, service } = await signedIn({ cooldownMs: 2 * MINUTE })
  tokens.keepFresh()
  service.fail('network', 'network')
  await time.advance(25 * MINUTE + 2 * MINUTE)
  expect(service.seen).toHaveLength(2)
  await time.advance(MINUTE)
  expect([service.seen.length, await tokens.token()]).toEqual([3, 'access-1'])
  service.revoke()
  await time.advance(60 * MINUTE)
  expect(tokens.status()).toBe('lost')
  tokens.close()
})

test('a listener may unsubscribe during a notification, and one that subscribed twice is called twice', async () => {
  const { tokens } = await signedIn()
  const heard: string[] = []
  const twice = () => heard.push('twice')
  const leaveFirst = tokens.subscribe(() => {
    heard.push('first')
    leaveFirst()
  })
  tokens.subscribe(twice)
  const leaveSecond = tokens.subscribe(twice)
  await tokens.signOut()
  expect(heard).toEqual(['first', 'twice', 'twice'])
  leaveSecond()
  await tokens.signIn({ accessToken: 'x' })
  expect(heard.slice(3)).toEqual(['twice'])
})

test('a store that fails during its own notification is read again by the next call', async () => {
  const inner = memoryTokenStore()
  let broken = false
  const store: TokenStore = {
    ...inner,
    read: async (account) => (broken ? Promise.reject(new Error('busy')) : inner.read(account)),
  }
  const { tokens, make } = await signedIn({ store })
  const other = make({ store: inner })
  broken = true
  await other.signOut()
  await new Promise((done) => setTimeout(done))
  expect(tokens.status()).toBe('signed-in')
  broken = false
  await other.signIn({ accessToken: 'theirs' })
  await expect.poll(() => tokens.token()).toBe('theirs')
})

test('signing out revokes the tokens, waits for it, and completes even if the service does not respond', async () => {
  const { revoke, revoked } = deafService()
  const { tokens, make } = await signedIn({ revoke })
  await tokens.signOut()
  expect(revoked).toEqual(['access-0'])
  await tokens.signOut()
  expect(revoked).toEqual(['access-0'])
  await tokens.signIn({ accessToken: 'again' })
  // One that has read nothing yet takes back what the store holds.
  await make().signOut()
  expect(revoked).toEqual(['access-0', 'again'])
  const without = await signedIn()
  await without.tokens.signOut()
  expect(without.tokens.status()).toBe('signed-out')
})

test('tokens that arrive after signing out are revoked before listeners are notified', async () => {
  const { revoke, revoked } = deafService()
  const { tokens, make, service, time } = await signedIn({ revoke })
  await time.advance(30 * MINUTE)
  const open = service.pause()
  const mine = tokens.token()
  await time.settle()
  await make({ revoke: async () => {} }).signOut()
  open()
  await expect(mine).rejects.toMatchObject({ code: 'signed_out' })
  expect(revoked).toEqual(['access-1'])
})

test('extra data can be added, replaced and removed, and survives signing in and out', async () => {
  const { tokens, service } = await signedIn()
  await tokens.setData({ a: '1', b: '2' })
  await tokens.signIn(service.first(), { b: '3' })
  await tokens.setData({ a: undefined, c: '' })
  expect([await tokens.data(), await tokens.token()]).toEqual([{ b: '3', c: '' }, 'access-0'])
  await tokens.signOut()
  await tokens.setData({ d: '4' })
  expect([await tokens.data(), tokens.status()]).toEqual([{ b: '3', c: '', d: '4' }, 'signed-out'])
})
