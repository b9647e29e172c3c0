import { expect, test } from 'vitest'
import { type NodeProcess, startNode } from './node-process.ts'
import { person } from './person.ts'
import { onStores, pause, until, type World } from './places.ts'

const LEASE_MS = 1_500
/** A busy machine stops no node for so long. Where a lease ends, another node calls `onTimeout` again, as it should. */
const LONG_LEASE_MS = 20_000

await onStores('several nodes', ['sqlite', 'postgres', 'redis'], (world) => nodeTests(world))

function nodeTests(world: () => World): void {
  const cluster = () => {
    const { store, file, effects } = world()
    const start = (name: string, leaseMs = LEASE_MS) => startNode({ name, store, leaseMs, effects: file })
    return { start, effects }
  }
  const call = (toolCallId: string, mark = toolCallId) => ({
    type: 'run' as const,
    tool: 'confirm' as const,
    sessionId: 's',
    runId: 'r',
    toolCallId,
    mark,
  })

  test('a question that node A asked can be answered through node B, and A resumes the call', async () => {
    const { start, effects } = cluster()
    const [a, b] = await Promise.all([start('A'), start('B')])
    const running = a.do(call('c'))
    const ada = person(b.url)
    const question = await ada.question('s', 'c')
    expect(await ada.answer('s', 'c', question)).toMatchObject({ status: 200 })
    expect(await running).toMatchObject({ status: 'completed', result: { by: 'A' } })
    expect(effects('effect')).toEqual(['effect c A'])
  }, 90_000)

  test('a call whose node is killed while it waits is taken over by another node, and its result is delivered [R5.1]', async () => {
    const { start, effects } = cluster()
    const [a, b] = await Promise.all([start('A'), start('B')])
    a.do(call('c')).catch(() => {})
    const ada = person(b.url)
    const question = await ada.question('s', 'c')
    await a.kill()
    expect(await ada.answer('s', 'c', question)).toMatchObject({ status: 200 })
    await until(() => effects('delivered').length > 0)
    expect(effects('effect')).toEqual(['effect c B'])
    expect(effects('delivered')).toHaveLength(1)
  }, 90_000)

  test('a node that is stopped past its lease and resumed is fenced, and one result is recorded [R5.2]', async () => {
    const { start, effects } = cluster()
    const [a, b] = await Promise.all([start('A'), start('B')])
    const running = a.do({ ...call('c'), pauseMs: 300 }).catch((error: { code: string }) => ({ error: error.code }))
    const ada = person(b.url)
    const question = await ada.question('s', 'c')
    // One that is stopped while it writes keeps the lock of a SQLite file: then it is stopped at another moment.
    await until(async () => {
      a.signal('SIGSTOP')
      if ((await ada.answer('s', 'c', question)).status === 200) return true
      a.signal('SIGCONT')
      return false
    }, 25_000)
    await until(() => effects('effect').length > 0)
    await until(() => effects('delivered').length > 0)
    a.signal('SIGCONT')
    // The record is B's, regardless of A's use of its answer.
    const record = { status: 'completed', result: { mark: 'c', by: 'B' } }
    expect(await b.do({ ...call('c'), pauseMs: 300 })).toMatchObject(record)
    expect([record, { error: 'ownership_lost' }]).toContainEqual(expect.objectContaining(await shortened(running)))
    expect(effects('effect')).toEqual(['effect c B'])
    expect(new Set(effects('delivered').map((line) => line.split(' ')[2])).size).toBe(1)
  }, 90_000)

  test('presence and remembered approvals are shared between nodes', async () => {
    const { start, effects } = cluster()
    const [a, b] = await Promise.all([start('A'), start('B')])
    const running = a.do(call('c1', 'same'))
    const ada = person(b.url)
    const question = await ada.question('s', 'c1')
    expect(await a.do({ type: 'available', sessionId: 's' })).toBe(false)
    const stream = ada.stream('s')
    expect(await ada.hello('s')).toBeLessThan(300)
    await until(async () => (await a.do({ type: 'available', sessionId: 's' })) === true)
    stream.close()
    await until(async () => (await a.do({ type: 'available', sessionId: 's' })) === false)
    await ada.answer('s', 'c1', question, { approvalScope: 'session' })
    expect(await running).toMatchObject({ result: { scope: 'session' } })
    expect(await b.do(call('c2', 'same'))).toMatchObject({ status: 'completed', result: { by: 'B' } })
    expect(effects('effect')).toHaveLength(2)
  }, 90_000)

  test('a timeout fires once, whichever node notices it', async () => {
    const { start, effects } = cluster()
    const nodes = await Promise.all(['A', 'B', 'C'].map((name) => start(name, LONG_LEASE_MS)))
    const marks = Array.from({ length: 6 }, (_, n) => `t${n}`)
    const results = await Promise.all(
      marks.map((mark, n) => nodes[n % 3]?.do({ ...call(mark), tool: 'waits', sessionId: `s${n % 2}` })),
    )
    expect(results).toEqual(marks.map(() => ({ status: 'completed', result: 'timed out' })))
    expect(
      effects('timeout')
        .map((line) => line.split(' ')[1])
        .sort(),
    ).toEqual(marks)
  }, 90_000)

  test('two nodes that answer one question 40 times have one winner each time, and every loser learns the winner', async () => {
    const { start } = cluster()
    const nodes = await Promise.all([start('A'), start('B')])
    for (let round = 0; round < 40; round++) {
      const id = `c${round}`
      const running = nodes[round % 2]?.do(call(id))
      const question = await person(nodes[0].url).question('s', id)
      const shownDigest = await person(nodes[0].url).shown('s', question)
      const answers = await Promise.all(
        Array.from({ length: 8 }, (_, n) =>
          person((nodes[n % 2] as NodeProcess).url).answer('s', id, question, { clientId: `tab-${n}`, shownDigest }),
        ),
      )
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
      const losers = answers.filter(({ status }) => status !== 200)
      expect(losers).toMatchObject(
        losers.map(() => ({
          status: 409,
          body: { error: { code: 'already_answered', respondedBy: { userId: 'ada' } } },
        })),
      )
      expect(await running).toMatchObject({ status: 'completed' })
    }
  }, 90_000)

  test('a rolling restart of three nodes under load loses nothing, repeats nothing and leaves no gap for a client that reconnects', async () => {
    const { start, effects } = cluster()
    const nodes = await Promise.all(['A', 'B', 'C'].map((name) => start(name)))
    const ada = () => person((nodes[0] as NodeProcess).url)
    let asked = 0
    let stop = false
    const seen: { cursor: string; text: unknown }[] = []
    const faults: unknown[] = []
    await nodes[0]?.do({ type: 'emit', sessionId: 's', text: 'begin' })

    const watcher = (async () => {
      for (let turn = 0; !stop; turn++) {
        const stream = person((nodes[turn % 3] as NodeProcess).url).stream('s', seen.at(-1)?.cursor)
        await Promise.race([stream.ended, pause(250)])
        stream.close()
        await stream.ended
        seen.push(...stream.seen.map(({ cursor, event }) => ({ cursor, text: (event as { text?: unknown }).text })))
        faults.push(...stream.faults)
      }
    })()
    const acknowledged: string[] = []
    const writer = (async () => {
      for (let n = 0; !stop; n++) {
        const text = `e${n}`
        const said = await nodes[n % 3]?.do({ type: 'emit', sessionId: 's', text }).then(
          () => true,
          () => false,
        )
        if (said) acknowledged.push(text)
        await pause(5)
      }
    })()
    const answered: string[] = []
    const worker = (async () => {
      while (!stop) {
        const id = `c${asked++}`
        // Each call is finished by some node, although nodes die.
        nodes[asked % 3]?.do({ ...call(id), sessionId: 'work' }).catch(() => {})
        for (let tries = 0; tries < 60 && !answered.includes(id); tries++) {
          const question = await ada()
            .question('work', id)
            .catch(() => null)
          if (question === null) break
          const reply = await ada()
            .answer('work', id, question)
            .catch(() => null)
          if (reply?.status === 200) answered.push(id)
          else await pause(20)
        }
      }
    })()

    for (let n = 0; n < 3; n++) {
      await pause(500)
      const old = nodes[n] as NodeProcess
      const fresh = await start(`${old.name}2`)
      nodes[n] = fresh
      await (n === 1 ? old.kill() : old.do({ type: 'close' }).then(old.kill))
    }
    await pause(500)
    stop = true
    await Promise.all([watcher, writer, worker])
    const done = () => effects('effect').map((line) => line.split(' ')[1] ?? '')
    await until(() => answered.every((id) => done().includes(id)), 30_000)

    expect(answered.length).toBeGreaterThan(3)
    expect([...new Set(done())].sort()).toEqual([...answered].sort())
    // One node was killed: what died inside its effect is repeated, under the same idempotency key.
    expect(done().length - answered.length).toBeLessThanOrEqual(1)
    const keys = effects('key').map((line) => line.split(' ').slice(1, 3).join(' '))
    expect(new Set(keys).size).toBe(answered.length)

    const rest = person((nodes[0] as NodeProcess).url).stream('s', seen.at(-1)?.cursor)
    await pause(300)
    rest.close()
    seen.push(...rest.seen.map(({ cursor, event }) => ({ cursor, text: (event as { text?: unknown }).text })))
    const texts = seen.map(({ text }) => text)
    expect(faults).toEqual([])
    expect(new Set(texts).size).toBe(texts.length)
    expect(acknowledged.filter((text) => !texts.includes(text))).toEqual([])
    expect(acknowledged.length).toBeGreaterThan(50)
    expect(seen.map(({ cursor }) => Number(cursor.split('.')[1]))).toEqual(seen.map((_, index) => index + 1))
  }, 90_000)
}

async function shortened(running: Promise<unknown>): Promise<Record<string, unknown>> {
  const ended = (await running) as { status?: string; error?: string; result?: { mark: string; by: string } }
  if (ended.error !== undefined) return { error: ended.error }
  return { status: ended.status, result: { mark: ended.result?.mark, by: ended.result?.by } }
}
