import { tokenStoreSuite } from '@holdpoint/conformance/token-store'
import { afterEach, describe, expect, onTestFinished, test } from 'vitest'
import { browserTokenStore } from './browser-token-store.ts'
import { webLock } from './web-lock.ts'

// In one page each store has its own channel, as each tab has. test/tokens/tabs.test.ts covers real tabs.
let count = 0
const ground = () => `test:${Date.now()}:${++count}`

tokenStoreSuite('browser memory', {
  open: async () => {
    const name = ground()
    return { store: browserTokenStore({ name }), again: async () => browserTokenStore({ name }) }
  },
})

tokenStoreSuite('localStorage', {
  open: async () => {
    const name = ground()
    const otherTab = document.createElement('iframe')
    document.body.append(otherTab)
    return {
      store: browserTokenStore({ name, keep: 'localStorage' }),
      again: async () => browserTokenStore({ name, keep: 'localStorage', window: otherTab.contentWindow as Window }),
      close: async () => {
        otherTab.remove()
        localStorage.clear()
      },
    }
  },
})

test('without locks in the browser (plain http) the store writes without them', async () => {
  const locks = Object.getOwnPropertyDescriptor(Navigator.prototype, 'locks') as PropertyDescriptor
  Object.defineProperty(Navigator.prototype, 'locks', { value: undefined, configurable: true })
  onTestFinished(() => void Object.defineProperty(Navigator.prototype, 'locks', locks))
  const store = browserTokenStore({ name: ground(), keep: 'localStorage' })
  expect(await store.write('slack', null, { version: '1.a', tokens: null, data: {} })).toBe(true)
  expect(await store.read('slack')).toMatchObject({ version: '1.a' })
})

test('foreign data in localStorage is ignored', async () => {
  const name = ground()
  for (const text of ['{', '7', 'null', '{"version":1}']) {
    localStorage.setItem(`${name}:slack`, text)
    expect(await browserTokenStore({ name, keep: 'localStorage' }).read('slack')).toBeNull()
  }
})

describe('webLock', () => {
  afterEach(() => new Promise((done) => setTimeout(done, 10)))

  test('runs one task at a time with a bounded wait, and is released after an error', async () => {
    const lock = webLock()
    let inside = 0
    let most = 0
    const task = async () => {
      most = Math.max(most, ++inside)
      await new Promise((done) => setTimeout(done, 2))
      inside--
      return 'done'
    }
    const all = await Promise.all(Array.from({ length: 10 }, () => lock.run('x', 5_000, task)))
    expect([most, new Set(all.map((ran) => ran.held && ran.value))]).toEqual([1, new Set(['done'])])
    let release = () => {}
    const stuck = lock.run('x', 5_000, () => new Promise<void>((done) => (release = done)))
    expect(await lock.run('x', 50, task)).toEqual({ held: false })
    release()
    await stuck
    await expect(lock.run('x', 5_000, () => Promise.reject(new Error('mine')))).rejects.toThrow('mine')
    expect(await lock.run('x', 5_000, task)).toEqual({ held: true, value: 'done' })
  })
})
