import { expect, test } from 'vitest'
import { startNode } from './node-process.ts'
import { person } from './person.ts'
import { onStores, until, type World } from './places.ts'

const LEASE_MS = 1_500

await onStores('two releases at once', ['sqlite', 'postgres', 'redis'], (world) => mixed(world))

function mixed(world: () => World): void {
  const cluster = () => {
    const { store, file, effects } = world()
    const start = (name: string, newer = false) => startNode({ name, store, leaseMs: LEASE_MS, effects: file, newer })
    return { start, effects }
  }
  const call = (sessionId: string) => ({
    ...{ type: 'run' as const, tool: 'confirm' as const, runId: 'r' },
    ...{ sessionId, toolCallId: sessionId, mark: sessionId },
  })

  test('a newer release serves its own sessions during a rolling deploy, and completes what the older one leaves [R9b.6]', async () => {
    const { start, effects } = cluster()
    const [old, newer] = await Promise.all([start('old'), start('newer', true)])
    const [left, own, other] = [old.do(call('left')), old.do(call('own')), newer.do(call('other'))]
    left.catch(() => {})
    const [throughOld, throughNewer] = [person(old.url), person(newer.url)]
    const questions = {
      own: await throughOld.question('own', 'own'),
      other: await throughNewer.question('other', 'other'),
      left: await throughNewer.question('left', 'left'),
    }
    expect((await throughOld.answer('own', 'own', questions.own)).status).toBe(200)
    expect(await own).toMatchObject({ result: { by: 'old' } })
    expect((await throughNewer.answer('other', 'other', questions.other)).status).toBe(200)
    expect(await other).toMatchObject({ result: { by: 'newer' } })
    // Its row is now one that the process that waits cannot read.
    expect((await throughNewer.answer('left', 'left', questions.left)).status).toBe(200)
    await old.do({ type: 'close' })
    await until(() => effects('delivered').some((line) => line.includes(' left ')))
    expect(effects('effect')).toEqual(
      expect.arrayContaining(['effect left newer', 'effect own old', 'effect other newer']),
    )
    expect(effects('effect')).toHaveLength(3)
  }, 90_000)

  test('after a rollback the older release serves all other sessions, and a later update finishes what the newer one began [R9b.7]', async () => {
    const { start, effects } = cluster()
    const newer = await start('newer', true)
    newer.do(call('waiting')).catch(() => {})
    newer.do({ ...call('timed'), tool: 'waits' }).catch(() => {})
    const question = await person(newer.url).question('waiting', 'waiting')
    await newer.kill()
    const old = await start('old')
    const ada = person(old.url)
    // Two leases: a takeover that fails would have been tried again and again.
    const served = async (mark: string) => {
      const running = old.do(call(mark))
      const asked = await ada.question(mark, mark)
      expect((await ada.answer(mark, mark, asked)).status).toBe(200)
      expect(await running).toMatchObject({ result: { by: 'old' } })
    }
    const end = performance.now() + 2 * LEASE_MS
    for (let count = 0; performance.now() < end; count++) await served(`s${count}`)
    expect(await old.do({ ...call('late'), tool: 'waits' })).toMatchObject({ status: 'completed' })
    await old.do({ type: 'recover' })
    expect((await ada.answer('waiting', 'waiting', question)).status).toBe(503)
    const updated = await start('updated', true)
    const again = person(updated.url)
    expect((await again.answer('waiting', 'waiting', question)).status).toBe(200)
    await until(() => effects('effect').includes('effect waiting updated'))
    await until(() => effects('timeout').includes('timeout timed updated'))
  }, 90_000)
}
