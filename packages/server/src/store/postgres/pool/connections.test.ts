import { EventEmitter } from 'node:events'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { Connections } from './connections.ts'
import type { PostgresPool } from './pool.ts'

const refusal = (code: string) => Object.assign(new Error(`state ${code}`), { code, severity: 'ERROR' })
const CUT = new Error('Connection terminated unexpectedly')
const CONFLICT = refusal('40001')

/** Rows, or what it fails with. */
type Answer = unknown[] | Error | string

/** A pool whose connections respond as `script` defines for the nth call of a statement. */
function world(script: (text: string, nth: number) => Answer = () => [], pool: Partial<PostgresPool> = {}) {
  const sent: string[] = []
  const timeouts = new Set<number | undefined>()
  const released: unknown[] = []
  const clients: EventEmitter[] = []
  class Client extends EventEmitter {
    async query({ text, query_timeout }: { text: string; query_timeout?: number }) {
      sent.push(text)
      timeouts.add(query_timeout)
      // A response takes time, so that the order shows which caller does not wait for it.
      await new Promise((done) => setImmediate(done))
      const answer = script(text, sent.filter((one) => one === text).length)
      sent.push(`${text}: answered`)
      if (!Array.isArray(answer)) throw answer
      return { rows: answer }
    }
    release(broken?: Error) {
      released.push(broken)
    }
  }
  const connect = async () => {
    const client = new Client()
    clients.push(client)
    return client
  }
  const connections = new Connections({ connect, ...pool } as unknown as PostgresPool, {
    acquireMs: 1_000,
    statementMs: 700,
  })
  const statements = () => sent.filter((one) => !one.endsWith(': answered'))
  return { connections, sent, statements, released, clients, timeouts }
}

describe('a read', () => {
  test('returns its rows and a connection without listeners, and has a time limit', async () => {
    const { connections, released, clients, timeouts } = world(() => [{ one: 1 }])
    expect(await connections.read('SELECT 1')).toEqual([{ one: 1 }])
    expect([released, clients[0]?.listenerCount('error'), [...timeouts]]).toEqual([[undefined], 0, [700]])
  })

  test('a statement on a dead connection is sent once more on another one', async () => {
    const { connections, released, statements } = world((_, nth) => (nth === 1 ? CUT : [{ one: 1 }]))
    expect(await connections.read('SELECT 1')).toEqual([{ one: 1 }])
    expect([statements(), released]).toEqual([
      ['SELECT 1', 'SELECT 1'],
      [CUT, undefined],
    ])
  })

  test('a statement is sent at most twice, and then fails as unavailable without a statement about its effect', async () => {
    const { connections, statements } = world(() => CUT)
    const error = await connections.read('SELECT 1').catch((reason) => reason)
    expect(error).toMatchObject({ code: 'store_unavailable' })
    expect([error.details.applied, statements().length]).toEqual([undefined, 2])
  })

  test('a statement that the server rejects is not repeated, and its connection stays', async () => {
    const { connections, released, statements } = world(() => refusal('42501'))
    await expect(connections.read('SELECT 1')).rejects.toMatchObject({ details: { state: '42501' } })
    expect([statements().length, released]).toEqual([1, [undefined]])
  })

  test('that fails with a value that is no error destroys its connection', async () => {
    const { connections, released } = world(() => 'text')
    await expect(connections.read('SELECT 1')).rejects.toBe('text')
    expect(released).toEqual([new Error('text')])
  })
})

test('a connection that dies while it is held is not returned to the pool and ends nothing else', async () => {
  const { connections, clients, released } = world(() => {
    clients[0]?.emit('error', CUT)
    return []
  })
  await connections.read('SELECT 1')
  expect(released).toEqual([CUT])
})

describe('a write', () => {
  test('that conflicts with another transaction is repeated, eight times at most', async () => {
    const lucky = world((_, nth) => (nth < 8 ? CONFLICT : [{ done: true }]))
    expect(await lucky.connections.write('W', [])).toEqual([{ done: true }])
    const never = world(() => refusal('40P01'))
    await expect(never.connections.write('W', [])).rejects.toMatchObject({
      code: 'store_busy',
      details: { applied: 'no', state: '40P01' },
    })
    expect([lucky.statements().length, never.statements().length]).toEqual([8, 8])
  })

  test('a statement whose response was lost is not repeated, and reports it', async () => {
    const { connections, statements } = world(() => CUT)
    await expect(connections.write('W', [])).rejects.toMatchObject({ details: { applied: 'unknown' } })
    expect(statements()).toEqual(['W'])
  })

  test('a statement that got no connection reports that nothing was applied', async () => {
    const { connections } = world(() => [], { connect: () => Promise.reject(CUT) })
    await expect(connections.write('W', [])).rejects.toMatchObject({ details: { applied: 'no' } })
  })
})

describe('a transaction', () => {
  const BEGIN = 'BEGIN; SET LOCAL statement_timeout = 700; SET LOCAL idle_in_transaction_session_timeout = 700'

  test('begins with its limits, runs, and commits, each after the response to the previous statement', async () => {
    const { connections, sent } = world(() => [{ one: 1 }])
    expect(await connections.transaction((query) => query('W'))).toEqual([{ one: 1 }])
    expect(sent).toEqual([BEGIN, 'W', 'COMMIT'].flatMap((text) => [text, `${text}: answered`]))
  })

  test('a transaction that fails is rolled back, and its own error is thrown even if the rollback fails', async () => {
    const { connections, statements, released } = world((text) => (text === 'ROLLBACK' ? refusal('25P01') : []))
    const failing = connections.transaction(() => Promise.reject(new Error('mine')))
    await expect(failing).rejects.toThrow('mine')
    expect([statements(), released]).toEqual([[BEGIN, 'ROLLBACK'], [undefined]])
  })

  test('a transaction is rolled back before its connection is reused', async () => {
    const { connections, sent, released } = world()
    await connections.transaction(() => Promise.reject(new Error('mine'))).catch(() => {})
    expect([sent.at(-1), released]).toEqual(['ROLLBACK: answered', [undefined]])
  })

  test('a transaction whose COMMIT was lost is neither rolled back nor repeated, and reports it', async () => {
    const { connections, statements } = world((text) => (text === 'COMMIT' ? CUT : []))
    const lost = connections.transaction(async () => {})
    await expect(lost).rejects.toMatchObject({ details: { applied: 'unknown' } })
    expect(statements()).toEqual([BEGIN, 'COMMIT'])
  })

  test('that conflicts is repeated from its beginning, and one that is cut before COMMIT applied nothing', async () => {
    const { connections, statements } = world((text, nth) => (text === 'COMMIT' && nth === 1 ? CONFLICT : []))
    let works = 0
    await connections.transaction(async () => void works++)
    expect([works, statements()]).toEqual([2, [BEGIN, 'COMMIT', BEGIN, 'COMMIT']])
    const cut = world((text) => (text === 'W' ? CUT : []))
    await expect(cut.connections.transaction((query) => query('W'))).rejects.toMatchObject({
      details: { applied: 'no' },
    })
  })
})

describe('waiting for a connection', () => {
  async function late(pool: Partial<PostgresPool>) {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    let give = (_client: unknown) => {}
    const connect = () => new Promise((done) => (give = done)) as never
    const { connections, statements } = world(() => [], { connect, ...pool })
    const waiting = connections.write('W', []).catch((error) => error)
    await vi.advanceTimersByTimeAsync(999)
    expect(await Promise.race([waiting, 'still waiting'])).toBe('still waiting')
    await vi.advanceTimersByTimeAsync(1)
    return { error: await waiting, give, statements }
  }

  test.each<[string, Partial<PostgresPool>, string]>([
    ['a full pool', { totalCount: 3, options: { max: 3 } }, 'store_pool_exhausted'],
    ['a full pool of the usual size', { totalCount: 10 }, 'store_pool_exhausted'],
    ['a pool without these numbers', {}, 'store_pool_exhausted'],
    ['a pool with free connections', { totalCount: 2, options: { max: 3 } }, 'store_unavailable'],
    ['a pool with free connections of the usual size', { totalCount: 9 }, 'store_unavailable'],
  ])('rejects with the code of its cause: %s', async (_, pool, code) => {
    const { error } = await late(pool)
    expect(error).toMatchObject({ code, details: { applied: 'no' } })
  })

  test('a connection that arrives after the timeout is returned at once and unused', async () => {
    const { give, statements } = await late({})
    const client = { release: vi.fn() }
    give(client)
    await vi.advanceTimersByTimeAsync(0)
    expect([client.release.mock.calls, statements()]).toEqual([[[]], []])
  })

  test('leaves no timer after it ends', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const { connections, released } = world()
    await connections.acquire()
    expect([vi.getTimerCount(), released]).toEqual([0, []])
  })
})
