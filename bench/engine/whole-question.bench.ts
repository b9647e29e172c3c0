import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createHoldpoint, type ToolContext } from '@holdpoint/server'
import { memoryStore } from '@holdpoint/server/memory'
import { sqliteStore } from '@holdpoint/server/sqlite'
import type { Commit, Store } from '@holdpoint/server/store'
import { z } from 'zod'
import { person } from '../support/person.ts'
import { report } from '../support/report.ts'
import type { Result } from '../support/result.ts'
import { digits, quantile } from '../support/statistics.ts'

/**
 * A question's whole life in one process: a registered tool asks, a person approves, the tool finishes; 200 questions
 * at once, each in a session of its own. Beside it the bare store makes the very commits of these questions. Processor
 * time depends less on other work of the machine than the rate does. Other work and collections of garbage only add to
 * it, so the lower quartile of the rounds is stated. HOLDPOINT_ROUNDS: rounds of 200 questions.
 */
const AT_ONCE = 200
const ROUNDS = Number(process.env.HOLDPOINT_ROUNDS ?? 40)
const WARM_UP = 10

/** Where the tool asks: in `execute`, the call is claimed with a commit of its own. */
type Asks = 'before' | 'execute'

const folder = mkdtempSync(join(tmpdir(), 'holdpoint-bench-'))

/** Processor time and time of some work, in microseconds for each question. */
function stopwatch() {
  const total = { cpu: 0, wall: 0 }
  return {
    async measure<T>(work: () => Promise<T>): Promise<T> {
      const [cpu, began] = [process.cpuUsage(), performance.now()]
      const result = await work()
      const { user, system } = process.cpuUsage(cpu)
      total.cpu += (user + system) / AT_ONCE
      total.wall += ((performance.now() - began) * 1_000) / AT_ONCE
      return result
    },
    total,
  }
}

/** Sends the commits on, and keeps those of sessions. */
function recording(store: Store) {
  const commits = new Map<string, Commit[]>()
  const recorded: Store = {
    ...store,
    commit(item) {
      if (item.partition.startsWith('s/')) {
        const before = commits.get(item.partition)
        if (before) before.push(item)
        else commits.set(item.partition, [item])
      }
      return store.commit(item)
    },
  }
  return { store: recorded, commits }
}

async function measure(inner: Store, bare: Store, asks: Asks) {
  const { store, commits } = recording(inner)
  const ada = person()
  const holdpoint = createHoldpoint({ store, authenticate: () => ({ userId: 'ada' }), hooks: { onEvent: ada.onEvent } })
  const ask = async ({ paths }: { paths: string[] }, ctx: ToolContext) => {
    await ctx.approve({ prompt: `Delete ${paths.length} files?` })
  }
  const tool = holdpoint.tool({
    name: 'delete_files',
    input: z.object({ paths: z.array(z.string()) }),
    ...(asks === 'before' && { before: ask }),
    async execute(input, ctx) {
      if (asks === 'execute') await ask(input, ctx)
      return { deleted: input.paths.length }
    },
  })
  const turns = async (count: number) => {
    for (let turn = 0; turn < count; turn++) await new Promise((resolve) => setImmediate(resolve))
  }
  const round = async (number: number) => {
    commits.clear()
    const { measure, total } = stopwatch()
    const names = Array.from({ length: AT_ONCE }, (_, index) => `${number}-${index}`)
    const heard = names.map((name) => ada.heard(name))
    const ran = await measure(async () => {
      const running = names.map((name) =>
        holdpoint
          .session(name, { userId: 'ada' })
          .runTool(tool, { paths: ['a', 'b', 'c'] }, { runId: 'run', toolCallId: name }),
      )
      while (holdpoint.stats().waiting < AT_ONCE) await turns(1)
      return { all: Promise.all(running) }
    })
    // The work of a browser with the question does not belong to the server's time.
    const questions = await Promise.all(heard)
    const asked = await Promise.all(names.map((name, index) => ada.look(holdpoint, name, name, questions[index]!)))
    await measure(async () => {
      await Promise.all(names.map((name, index) => ada.approve(holdpoint, name, asked[index]!)))
      await ran.all
      // The acknowledgments of the results.
      await new Promise((resolve) => setTimeout(resolve, 2))
      await turns(4)
    })
    const alone = stopwatch()
    const lives = [...commits.values()]
    await alone.measure(async () => {
      await Promise.all(
        lives.map(async (life) => {
          for (const item of life) await bare.commit(item)
        }),
      )
    })
    return { ...total, bareCpu: alone.total.cpu, bareWall: alone.total.wall, commits: lives[0]?.length ?? 0 }
  }
  for (let n = 0; n < WARM_UP; n++) await round(-n - 1)
  const rounds: Awaited<ReturnType<typeof round>>[] = []
  for (let n = 0; n < ROUNDS; n++) rounds.push(await round(n))
  await holdpoint.close()
  await bare.close()
  const of = (name: keyof (typeof rounds)[number]) =>
    quantile(
      rounds.map((one) => one[name]),
      0.25,
    )
  return { cpu: of('cpu'), wall: of('wall'), bareCpu: of('bareCpu'), bareWall: of('bareWall'), commits: of('commits') }
}

const results: Result[] = []
const rows: object[] = []
const file = (name: string) => sqliteStore({ path: join(folder, name) })
for (const [name, asks, store, bare] of [
  ['memory', 'before', memoryStore(), memoryStore()],
  ['memory', 'execute', memoryStore(), memoryStore()],
  ['SQLite FULL', 'before', file('before.db'), file('bare-before.db')],
  ['SQLite FULL', 'execute', file('execute.db'), file('bare-execute.db')],
] as const) {
  const { cpu, wall, bareCpu, bareWall, commits } = await measure(store, bare, asks)
  const scenario = `a question's whole life, asked in ${asks}, ${AT_ONCE} at once, ${name}`
  const [perSecond, bareSecond] = [Math.round(1e6 / wall), Math.round(1e6 / bareWall)]
  rows.push({
    store: name,
    'asked in': asks,
    'CPU µs': digits(cpu),
    'a second': perSecond,
    commits,
    'bare CPU µs': digits(bareCpu),
    'bare a second': bareSecond,
  })
  const kind = name === 'memory' ? 'memory' : 'sqlite'
  const id = asks === 'before' ? kind : `${kind}-execute`
  results.push(
    {
      id: `${id}-cpu`,
      scenario,
      figure: 'processor time',
      unit: 'µs',
      better: 'lower',
      value: cpu,
      ...(kind === 'memory' && { target: 150 }),
      limit: { name: 'the bare store, the same commits', value: bareCpu },
    },
    {
      id: `${id}-ratio`,
      scenario,
      figure: 'processor time',
      unit: '× the bare store',
      better: 'lower',
      value: cpu / bareCpu,
      ...(kind === 'sqlite' && { target: 2 }),
      limit: { name: 'the same commits', value: 1 },
    },
  )
}
rmSync(folder, { recursive: true, force: true })
report({
  about: `lower quartile of ${ROUNDS} rounds after ${WARM_UP}`,
  results,
  rows: { 'a question, from ask to finish': rows },
})
process.exit(0)
