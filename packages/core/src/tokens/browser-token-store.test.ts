import { tokenStoreSuite } from '@holdpoint/conformance/token-store'
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { browserTokenStore } from './browser-token-store.ts'
import { storageOrigin } from './testing/storage-origin.ts'
import type { AccountRecord } from './types.ts'

// Node has the channels and locks of a browser: all but real storage and real tabs is seen here too.
let count = 0
const ground = () => `node:${process.pid}:${++count}`
// A read waits 60 ms for other tabs. Here they pass in steps between which messages arrive, however busy the machine is.
beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true }))
afterEach(() => void vi.useRealTimers())
const record = (version: string): AccountRecord => ({ version, tokens: { accessToken: `at-${version}` }, data: {} })

tokenStoreSuite('browser memory, in Node', {
  open: async () => {
    const name = ground()
    return { store: browserTokenStore({ name }), again: async () => browserTokenStore({ name }) }
  },
})

tokenStoreSuite('localStorage, in Node', {
  open: async () => {
    const name = ground()
    const tab = storageOrigin()
    const open = () => browserTokenStore({ name, keep: 'localStorage', window: tab().window })
    return { store: open(), again: async () => open() }
  },
})

describe('the memory store of several tabs', () => {
  /** Another tab, by its messages: `has` is its response to a request. */
  function otherTab() {
    const name = ground()
    const channel = new BroadcastChannel(name)
    const has = new Map<string, AccountRecord>()
    const heard: { ask?: string }[] = []
    const say = (message: unknown) => channel.postMessage(message)
    channel.onmessage = ({ data }: MessageEvent<{ ask?: string }>) => {
      heard.push(data)
      const answer = has.get(data.ask ?? '')
      if (answer) say({ account: data.ask, record: answer })
    }
    onTestFinished(() => channel.close())
    const store = browserTokenStore({ name })
    const told: string[] = []
    store.subscribe?.('slack', () => told.push('slack'))
    return { store, heard, told, has, say }
  }

  test('ignores an older record that arrives late, and notifies no listener', async () => {
    const { store, say, told } = otherTab()
    say({ account: 'slack', record: record('2.b') })
    await expect.poll(() => told).toEqual(['slack'])
    for (const late of ['1.a', '2.b']) say({ account: 'slack', record: record(late) })
    say({ account: 'slack', record: record('3.c') })
    await expect.poll(() => told).toEqual(['slack', 'slack'])
    expect(await store.read('slack')).toEqual(record('3.c'))
  })

  test('notifies only listeners of the changed account', async () => {
    const { store, say, told } = otherTab()
    const other: string[] = []
    store.subscribe?.('github', () => other.push('github'))
    say({ account: 'github', record: record('1.a') })
    await expect.poll(() => other).toEqual(['github'])
    expect(told).toEqual([])
  })

  test('asks the other tabs at each read and adopts their record, and returns null without one', async () => {
    const { store, heard, has } = otherTab()
    expect(await store.read('slack')).toBeNull()
    expect(heard).toEqual([{ ask: 'slack' }])
    for (const version of ['1.a', '2.b']) {
      has.set('slack', record(version))
      expect(await store.read('slack')).toEqual(record(version))
    }
  })

  test('ends a read as soon as a record arrives', async () => {
    const { store, has } = otherTab()
    has.set('slack', record('1.a'))
    // No time passes: only the answer can end it.
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    expect(await store.read('slack')).toEqual(record('1.a'))
  })

  test('answers a request of another tab if it has the record', async () => {
    const { store, heard, say } = otherTab()
    await store.write('slack', null, record('1.a'))
    for (const ask of ['github', 'slack']) say({ ask })
    const told = { account: 'slack', record: record('1.a') }
    // Once because of the write, once because of the request.
    await expect.poll(() => heard.filter(({ ask }) => !ask)).toEqual([told, told])
  })

  test('asks other tabs for newer records before it writes', async () => {
    const { store, has } = otherTab()
    has.set('slack', record('1.theirs'))
    expect(await store.write('slack', null, record('1.mine'))).toBe(false)
    expect(await store.read('slack')).toEqual(record('1.theirs'))
    expect(await store.write('slack', '1.theirs', record('2.mine'))).toBe(true)
  })
})

describe('the localStorage store', () => {
  function page() {
    const tab = storageOrigin()()
    const store = browserTokenStore({ keep: 'localStorage', window: tab.window })
    const told: string[] = []
    const leaves = ['slack', 'github'].map((account) => store.subscribe?.(account, () => told.push(account)))
    const leave = () => {
      for (const end of leaves) end?.()
    }
    return { ...tab, store, told, leave }
  }

  test('notifies listeners of their own account, and all of them after a clear', () => {
    const { tell, told, leave } = page()
    tell('holdpoint:tokens:slack')
    expect(told).toEqual(['slack'])
    for (const key of ['holdpoint:tokens:linear', 'holdpoint:tokens', 'theme']) tell(key)
    expect(told).toEqual(['slack'])
    tell(null)
    expect(told).toEqual(['slack', 'slack', 'github'])
    leave()
    tell(null)
    expect(told).toHaveLength(3)
  })

  test('ignores changes in sessionStorage', () => {
    const { tell, told } = page()
    tell('holdpoint:tokens:slack', {})
    expect(told).toEqual([])
  })

  test('stores a record under the account’s own key, and ignores invalid data', async () => {
    const { store, kept } = page()
    await store.write('slack', null, record('1.a'))
    expect([...kept.keys()]).toEqual(['holdpoint:tokens:slack'])
    for (const text of ['{', '7', 'null', '{"version":1}']) {
      kept.set('holdpoint:tokens:slack', text)
      expect(await store.read('slack')).toBeNull()
    }
  })
})

test('a localStorage store without locks (plain http) writes without them', async () => {
  const locks = Object.getOwnPropertyDescriptor(globalThis, 'navigator') as PropertyDescriptor
  Object.defineProperty(globalThis, 'navigator', { value: {}, configurable: true })
  onTestFinished(() => void Object.defineProperty(globalThis, 'navigator', locks))
  const store = browserTokenStore({ name: ground() })
  expect(await store.write('slack', null, record('1.a'))).toBe(true)
  expect(await store.read('slack')).toEqual(record('1.a'))
})
