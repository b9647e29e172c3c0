import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { createHoldpoint } from '@holdpoint/server'
import { memoryStore, type Store } from '@holdpoint/server/memory'
import { sqliteStore } from '@holdpoint/server/sqlite'

/**
 * From the answer to the tool that goes on, in one process. On SQLite, in the same rounds: one commit of the store, and
 * one of a bare node:sqlite that inserts as many bytes, both with FULL durability. Commits between the answer and the
 * tool are counted too: a count does not depend on who else uses the machine.
 */
const ROUNDS = 600
const WARM_UP = 150

const folder = mkdtempSync(join(tmpdir(), 'holdpoint-bench-'))
const PAYLOAD = JSON.stringify({ text: 'x'.repeat(1_500) })

/** One transaction as small as a durable one can be. */
function bareSqlite() {
  const db = new DatabaseSync(join(folder, 'bare.db'))
  db.exec(
    'PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; CREATE TABLE IF NOT EXISTS t (id INTEGER PRIMARY KEY, data TEXT)',
  )
  const insert = db.prepare('INSERT INTO t (data) VALUES (?)')
  return { commit: () => void insert.run(PAYLOAD), close: () => db.close() }
}

function counting(store: Store) {
  let commits = 0
  const counted: Store = {
    ...store,
    commit: (item) => {
      commits++
      return store.commit(item)
    },
  }
  return {
    store: counted,
    get commits() {
      return commits
    },
  }
}

async function measure(make: () => Store) {
  const counter = counting(make())
  const { store } = counter
  const holdpoint = createHoldpoint({ store, authenticate: () => ({ userId: 'ada' }) })
  const session = holdpoint.session('s1', { userId: 'ada' })
  const bare = bareSqlite()
  const times = { resume: [] as number[], commit: [] as number[], bare: [] as number[] }
  const counts: number[] = []
  for (let round = -WARM_UP; round < ROUNDS; round++) {
    const callId = `call-${round}`
    let went = 0
    let commits = 0
    const resumed = session
      .toolCall({ runId: `run-${round}`, toolCallId: callId, toolName: 'delete_files' })
      .approve({ prompt: 'Delete 3 files?', key: round })
      .then(() => {
        went = performance.now()
        commits = counter.commits
      })
    const interactionId = await idOf(holdpoint, callId)
    // Everything that asking began has ended.
    await rest()
    const before = counter.commits
    const began = performance.now()
    const answered = holdpoint.engine.answer({ userId: 'ada' }, 's1', {
      type: 'tool_interaction_response',
      clientId: 'tab-1',
      callId,
      interactionId,
      answerId: `answer-${round}`,
      action: 'approve',
    })
    await resumed
    await answered
    await rest()
    const commitBegan = performance.now()
    await store.commit({ partition: 'bench', puts: [{ kind: 'x', id: 'x', data: PAYLOAD }], events: ['{}'] })
    const committed = performance.now()
    await rest()
    const bareBegan = performance.now()
    bare.commit()
    const bareEnded = performance.now()
    if (round < 0) continue
    times.resume.push(went - began)
    counts.push(commits - before)
    times.commit.push(committed - commitBegan)
    times.bare.push(bareEnded - bareBegan)
  }
  bare.close()
  await holdpoint.close()
  return { times, commits: Math.max(...counts) }
}

async function idOf({ engine }: ReturnType<typeof createHoldpoint>, callId: string): Promise<string> {
  for (;;) {
    const { items } = await engine.inbox({ userId: 'ada' }, {})
    for (const { interaction } of items) {
      const { request } = interaction
      if ('interactionId' in request && 'toolCallId' in request && request.toolCallId === callId) {
        return String(request.interactionId)
      }
    }
    await new Promise((resolve) => setImmediate(resolve))
  }
}

const rest = () => new Promise<void>((resolve) => setTimeout(resolve, 2))
const at = (list: number[], share: number) =>
  list.toSorted((a, b) => a - b)[Math.floor(list.length * share)] ?? Number.NaN

const rows = []
for (const [name, make] of [
  ['memory', () => memoryStore()],
  ['sqlite', () => sqliteStore({ path: join(folder, 'data.db') })],
] as const) {
  const { times, commits } = await measure(make)
  for (const [which, share] of [
    ['p50', 0.5],
    ['p99', 0.99],
  ] as const) {
    const [resume, commit, bare] = [at(times.resume, share), at(times.commit, share), at(times.bare, share)]
    rows.push({
      store: name,
      '': which,
      'answer → resume, ms': +resume.toFixed(3),
      'one commit, ms': +commit.toFixed(3),
      'bare commit, ms': +bare.toFixed(3),
      'of one commit': name === 'memory' ? '' : +(resume / commit).toFixed(2),
      'of a bare one': name === 'memory' ? '' : +(resume / bare).toFixed(2),
      target: name === 'memory' ? '≤ 1 ms at p99' : '≤ 3 × one commit',
      commits,
    })
  }
}
rmSync(folder, { recursive: true, force: true })
console.log(`answer → tool resumes in process, ${ROUNDS} interleaved rounds`)
console.table(rows)
console.log(JSON.stringify({ bench: 'in-process', rows }))
process.exit(0)
