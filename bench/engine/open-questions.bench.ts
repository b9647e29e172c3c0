import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createHoldpoint } from '@holdpoint/server'
import { memoryStore } from '@holdpoint/server/memory'
import { sqliteStore } from '@holdpoint/server/sqlite'
import type { Store } from '@holdpoint/server/store'
import { report } from '../support/report.ts'
import type { Result } from '../support/result.ts'
import { digits } from '../support/statistics.ts'

/**
 * The memory that one process needs for open questions: its heap after a collection, and its timers. Rows and events
 * are in SQLite here; the memory store keeps them in the heap too, so its row states the size of their text. Run with
 * --expose-gc. HOLDPOINT_QUESTIONS sets the number of questions.
 */
const QUESTIONS = Number(process.env.HOLDPOINT_QUESTIONS ?? 100_000)
const SESSIONS = QUESTIONS / 500
/** Of different sessions, so that they share a disk flush. */
const AT_ONCE = Math.min(100, SESSIONS)
const HOUR_MS = 3_600_000

const folder = mkdtempSync(join(tmpdir(), 'holdpoint-bench-'))
const { gc } = globalThis
if (!gc) throw new Error('start me with --expose-gc')

async function heap(): Promise<number> {
  for (let round = 0; round < 5; round++) {
    gc?.()
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  return process.memoryUsage().heapUsed
}

/** Timers that the engine keeps, counted where it makes them. */
function countedTimers() {
  const open = new Set<unknown>()
  return {
    environment: {
      setTimeout(callback: () => void, ms: number) {
        const timer = setTimeout(() => {
          open.delete(timer)
          callback()
        }, ms)
        open.add(timer)
        return timer
      },
      clearTimeout(timer: unknown) {
        open.delete(timer)
        clearTimeout(timer as NodeJS.Timeout)
      },
    },
    get open() {
      return open.size
    },
  }
}

/** Characters of all rows and events, in KiB. */
async function textOf(store: Store): Promise<number> {
  let length = 0
  for (let session = 0; session < SESSIONS; session++) {
    const partition = `s//chat-${session}`
    const { rows } = await store.snapshot(partition, ['session', 'run', 'idle', 'call', 'question'])
    const { events } = await store.readLog(partition, { from: 1, limit: 1_000_000 })
    for (const { data } of rows) length += data.length
    for (const { json } of events) length += json.length
  }
  return length / 1024
}

async function measure(name: string, make: () => Store, what: 'approve' | 'ask' | 'requestInteraction') {
  const timers = countedTimers()
  const store = make()
  const holdpoint = createHoldpoint({ store, environment: timers.environment, timing: { leaseMs: HOUR_MS } })
  const ask = (n: number) => {
    const context = holdpoint
      .session(`chat-${n % SESSIONS}`, { userId: 'ada' })
      .toolCall({ runId: `run-${n}`, toolCallId: `call-${n}`, toolName: 'delete_files' })
    if (what === 'approve') return context.approve({ prompt: 'Delete 3 files?', timeoutMs: HOUR_MS })
    if (what === 'ask') {
      const fields = [{ id: 'email', type: 'email', label: 'E-mail' }] as const
      return context.ask({ prompt: 'Where to?', fields, timeoutMs: HOUR_MS })
    }
    return context.requestInteraction({
      type: 'approval',
      prompt: 'Delete 3 files?',
      timeoutMs: HOUR_MS,
      whenUnavailable: 'wait',
      onResponse: ({ action }) => ({ complete: action }),
    })
  }
  const askFrom = async (first: number, end: number) => {
    for (let n = first; n < end; n += AT_ONCE) {
      for (let one = n; one < Math.min(end, n + AT_ONCE); one++) void ask(one)
      while (holdpoint.stats().waiting < Math.min(end, n + AT_ONCE)) await new Promise((r) => setImmediate(r))
    }
    // Looks that asking began have ended.
    await new Promise((resolve) => setTimeout(resolve, 1_500))
  }
  // One-time costs of a process, above all compiled code, are not counted.
  const first = Math.min(5_000, QUESTIONS / 2)
  await askFrom(0, first)
  const before = await heap()
  await askFrom(first, QUESTIONS)
  const all = (await heap()) - before
  const row = {
    store: name,
    call: what,
    questions: QUESTIONS,
    'KiB each': digits(all / (QUESTIONS - first) / 1024),
    'rows and events, KiB of text': name === 'memory' ? digits((await textOf(store)) / QUESTIONS) : '',
    timers: timers.open,
  }
  await holdpoint.close()
  return row
}

const rows = []
for (const what of ['approve', 'ask', 'requestInteraction'] as const) {
  rows.push(await measure('sqlite', () => sqliteStore({ path: join(folder, `${what}.db`) }), what))
}
rows.push(await measure('memory', () => memoryStore(), 'approve'))
rmSync(folder, { recursive: true, force: true })

const count = QUESTIONS.toLocaleString('en-US')
const results = rows.map((row): Result => {
  const inMemory = row.store === 'memory'
  const text = row['rows and events, KiB of text']
  return {
    id: inMemory ? 'memory' : row.call,
    scenario: `${count} open questions, ${inMemory ? 'memory store' : 'SQLite'}`,
    figure: inMemory ? 'heap each, rows and events of the store included' : `heap each, ${row.call}`,
    unit: 'KiB',
    better: 'lower',
    value: row['KiB each'],
    target: 2,
    ...(typeof text === 'number' && { limit: { name: 'text of its rows and events', value: text } }),
    why: inMemory
      ? `${text} KiB of it are the text of the question's own rows and events, which nothing but memory holds`
      : '',
  }
})
results.push({
  id: 'timers',
  scenario: `${count} open questions, SQLite`,
  figure: 'timers, the heartbeat among them',
  unit: '',
  better: 'lower',
  value: Math.max(...rows.map(({ timers }) => timers)),
})
report({
  about: `heap after a collection, beyond the first ${Math.min(5_000, QUESTIONS / 2).toLocaleString('en-US')}; timers as the engine makes them`,
  results,
  rows: { 'open questions that this process waits for': rows },
})
process.exit(0)
