import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createHoldpoint } from '@holdpoint/server'
import { memoryStore } from '@holdpoint/server/memory'
import { sqliteStore } from '@holdpoint/server/sqlite'
import type { Store } from '@holdpoint/server/store'
import { bareSqlite } from '../support/bare-sqlite.ts'
import { person } from '../support/person.ts'
import { report } from '../support/report.ts'
import type { Result } from '../support/result.ts'
import { rounds } from '../support/rounds.ts'
import { digits, median, quantile } from '../support/statistics.ts'
import { watchedStore } from '../support/watched-store.ts'

/**
 * From the answer to the tool that continues, in one process. On SQLite the same rounds also measure one commit of the
 * store, and one of a bare node:sqlite that inserts as many bytes as the answer did, all with FULL durability.
 * Processes stay busy between rounds, because the time of a process that wakes up includes its waking. Commits between
 * the answer and the tool are counted too, because a count does not depend on other work on the machine.
 */
const ROUNDS = 2_000
const WARM_UP = 1_000
const PERCENTILES = { p50: 0.5, p99: 0.99 } as const

const folder = mkdtempSync(join(tmpdir(), 'holdpoint-bench-'))

async function measure(inner: Store) {
  const { store, written, drained } = watchedStore(inner)
  const ada = person()
  const holdpoint = createHoldpoint({ store, authenticate: () => ({ userId: 'ada' }), hooks: { onEvent: ada.onEvent } })
  const session = holdpoint.session('s1', { userId: 'ada' })
  const bare = bareSqlite(join(folder, 'bare.db'))
  const counts: number[] = []
  let cpuMicros = 0
  let payload = ''

  async function resume(round: number): Promise<number> {
    const callId = `call-${round}`
    const asked = ada.question(holdpoint, 's1', callId)
    let went = 0
    let wrote = written()
    const resumed = session
      .toolCall({ runId: `run-${round}`, toolCallId: callId, toolName: 'delete_files' })
      .approve({ prompt: 'Delete 3 files?', rememberAs: round })
      .then(() => {
        went = performance.now()
        wrote = written()
      })
    const question = await asked
    await drained()
    const before = written()
    const cpu = process.cpuUsage()
    const began = performance.now()
    const answered = ada.approve(holdpoint, 's1', question)
    await resumed
    const { user, system } = process.cpuUsage(cpu)
    await answered
    await drained()
    payload ||= 'x'.repeat(wrote.bytes - before.bytes)
    if (round >= 0) {
      counts.push(wrote.commits - before.commits)
      cpuMicros += user + system
    }
    return went - began
  }
  async function commit() {
    const began = performance.now()
    await store.commit({ partition: 'bench', puts: [{ kind: 'x', id: 'x', data: payload }] })
    const took = performance.now() - began
    await drained()
    return took
  }
  function bareCommit() {
    const began = performance.now()
    bare.commit(payload)
    return performance.now() - began
  }
  // Where nothing is on disk, nothing waits for one.
  const legs: Record<string, (round: number) => number | Promise<number>> =
    store.name === 'memory' ? { resume, commit } : { resume, commit, bare: bareCommit }
  const times = await rounds(ROUNDS, legs, { warmUp: WARM_UP })
  bare.close()
  await holdpoint.close()
  return { times, commits: median(counts), bytes: payload.length, cpu: cpuMicros / ROUNDS }
}

const rows: object[] = []
const results: Result[] = []
for (const [name, store] of [
  ['memory', memoryStore()],
  ['sqlite', sqliteStore({ path: join(folder, 'data.db') })],
] as const) {
  const { times, commits, bytes, cpu } = await measure(store)
  const scenario = `answer → tool continues, in process, ${name === 'memory' ? 'memory' : 'SQLite FULL'}`
  for (const [percentile, share] of Object.entries(PERCENTILES)) {
    const at = (leg: string) => digits(quantile(times[leg] ?? [], share))
    const ms = { resume: at('resume'), commit: at('commit'), bare: at('bare') }
    rows.push({ store: name, '': percentile, ...ms, commits, bytes, 'CPU µs': digits(cpu) })
    const base = { scenario, better: 'lower' } as const
    if (name === 'memory') {
      const target = percentile === 'p99' ? { target: 1 } : {}
      results.push({ ...base, id: `memory-${percentile}`, figure: percentile, unit: 'ms', value: ms.resume, ...target })
    } else {
      results.push({
        ...base,
        id: `sqlite-${percentile}`,
        figure: `${percentile}, durable commits between: ${commits}`,
        unit: '× a bare node:sqlite commit',
        value: ms.resume / ms.bare,
        target: 3,
        limit: { name: `a bare commit of ${bytes} bytes`, value: 1 },
        why: `a commit of the store, with its rows and their indexes, is ${digits(ms.commit / ms.bare)} × a bare insert; ${Math.round(cpu)} µs of all are processor time`,
      })
      results.push({
        ...base,
        id: `sqlite-${percentile}-ms`,
        figure: percentile,
        unit: 'ms',
        value: ms.resume,
        limit: { name: `a bare commit of ${bytes} bytes`, value: ms.bare },
      })
    }
  }
  results.push({ id: `${name}-cpu`, scenario, figure: 'CPU an answer', unit: 'µs', better: 'lower', value: cpu })
}
rmSync(folder, { recursive: true, force: true })
report({
  about: `${ROUNDS} interleaved rounds after ${WARM_UP}`,
  results,
  rows: { 'answer → tool continues, ms': rows },
})
process.exit(0)
