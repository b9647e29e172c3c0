import { fdatasyncSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bareSqlite } from '../support/bare-sqlite.ts'
import { report } from '../support/report.ts'
import type { Peer, Result } from '../support/result.ts'
import { rounds } from '../support/rounds.ts'
import { digits, median, quantile, ratios } from '../support/statistics.ts'
import { installedPeers } from './installed-peers.ts'
import type { Kept } from './resume/peer.ts'

/**
 * From a yes to the tool that runs, for all libraries that can ask a person. What a library does after its tool, such as the
 * model's next turn, is not in these times; it is in the processor time of a whole answer. `--quick`: fewer rounds.
 */
const QUICK = process.argv.includes('--quick')
const ROUNDS = QUICK ? 60 : 200
const WARM_UP = QUICK ? 20 : 40
/** A person takes longer than that: what a library still did when it had asked is not what its answer costs. */
const SETTLED_MS = 5
const LABELS: Record<Kept, string> = {
  process: 'kept in memory',
  file: 'kept in a file (Holdpoint: SQLite, FULL)',
  server: 'kept in PostgreSQL',
}

const BARE = 'a bare commit'

interface Taken {
  /** Milliseconds until the tool ran, and processor milliseconds until then and until all had ended. */
  wall: number
  cpu: number
  whole: number
  /** Commits of a bridge until the tool ran. */
  commits: number
}

const { everyPeer, LEFT_OUT } = await installedPeers()
const { peers, close } = await everyPeer(1)
/** The loop turns all the while: who falls asleep would be measured as they wake up. */
const settled = async () => {
  const until = performance.now() + SETTLED_MS
  do await new Promise((resolve) => setImmediate(resolve))
  while (performance.now() < until)
}
const used = (since: NodeJS.CpuUsage) => {
  const { user, system } = process.cpuUsage(since)
  return (user + system) / 1_000
}

const legs = Object.fromEntries(
  [...peers.keys()].map((peer) => [
    `${peer.name} · ${peer.store}`,
    async (): Promise<Taken> => {
      let ran: Omit<Taken, 'whole'> | undefined
      let cpu = process.cpuUsage()
      const answer = await peer.ask(() => {
        ran = { wall: performance.now(), cpu: used(cpu), commits: peer.commits?.() ?? 0 }
      })
      await settled()
      const before = peer.commits?.() ?? 0
      cpu = process.cpuUsage()
      const began = performance.now()
      await answer(0)
      const whole = used(cpu)
      if (!ran) throw new Error(`${peer.name}: the tool did not run`)
      return { wall: ran.wall - began, cpu: ran.cpu, whole, commits: ran.commits - before }
    },
  ]),
)
const folder = mkdtempSync(join(tmpdir(), 'holdpoint-bench-'))
const file = openSync(join(folder, 'flushed'), 'w')
/** About what an answer, a claimed call or an outcome writes. */
const COMMIT = 'x'.repeat(2_500)
const bare = bareSqlite(join(folder, 'bare.db'))
const flushed: number[] = []
const taken = await rounds<string, Taken>(
  ROUNDS,
  {
    ...legs,
    fdatasync: () => {
      const began = performance.now()
      writeSync(file, 'x'.repeat(4_096), 0)
      fdatasyncSync(file)
      flushed.push(performance.now() - began)
      return { wall: 0, cpu: 0, whole: 0, commits: 0 }
    },
    [BARE]: () => {
      const cpu = process.cpuUsage()
      const began = performance.now()
      bare.commit(COMMIT)
      return { wall: performance.now() - began, cpu: used(cpu), whole: 0, commits: 0 }
    },
  },
  { warmUp: WARM_UP },
)

const rows = [...peers].map(([peer, kept]) => {
  const list = taken[`${peer.name} · ${peer.store}`] ?? []
  const of = (key: keyof Taken, share = 0.5) =>
    quantile(
      list.map((one) => one[key]),
      share,
    )
  return {
    peer,
    kept,
    row: { p50: of('wall'), p99: of('wall', 0.99), 'CPU to the tool': of('cpu'), 'CPU in all': of('whole') },
  }
})
const FIGURES = { p50: 'p50', p99: 'p99', cpu: 'CPU to the tool' } as const
type Row = (typeof rows)[number]
const named = ({ peer }: Row) => (peer.store === 'memory' ? peer.name : `${peer.name} (${peer.store})`)

/** The three figures of one of ours, beside those of others. */
function compared(prefix: string, scenario: string, ours: Row | undefined, others: readonly Row[]): Result[] {
  if (!ours) return []
  return Object.entries(FIGURES).map(([id, figure]) => ({
    id: `${prefix}-${id}`,
    scenario,
    figure: id === 'cpu' ? 'processor until it runs, p50' : figure,
    unit: 'ms',
    better: 'lower',
    value: ours.row[figure],
    ...(id === 'p50' && { target: targetOf(prefix, others) }),
    peers: others.map((row): Peer => ({ name: named(row), ...versionIn(row), value: row.row[figure] })),
    ...(ours.kept === 'file' && id !== 'cpu' && { limit: { name: '4 KiB and fdatasync', value: flushedAt(id) } }),
  }))
}
/** Ahead of the fastest peer; with the AI SDK bridge 0.8 ms, because the AI SDK alone writes nothing down. */
const targetOf = (prefix: string, others: readonly Row[]) =>
  prefix === 'ai-sdk' ? 0.8 : Math.min(...others.map(({ row }) => row.p50))
const versionIn = ({ peer: { version } }: Row) => (version ? { version } : {})
const flushedAt = (id: string) => quantile(flushed, id === 'p99' ? 0.99 : 0.5)

const slug = (text: string) => text.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')
const isOurs = ({ peer }: Row) => peer.name.startsWith('Holdpoint')
const results = Object.entries(LABELS).flatMap(([kept, label]) => {
  const here = rows.filter((row) => row.kept === kept)
  const others = here.filter((row) => !isOurs(row))
  return compared(
    kept,
    `yes → the tool runs, ${label}`,
    here.find(({ peer }) => peer.name === 'Holdpoint'),
    others,
  )
})
const bridge = rows.find((row) => row.kept === 'file' && row.peer.bridges === 'ai')
const alone = rows.filter(({ peer }) => peer.name === 'ai')
results.push(...compared('ai-sdk', 'yes → the tool runs, AI SDK with the bridge on SQLite', bridge, alone))
const commit = taken[BARE] ?? []
const overheads: object[] = []
for (const { peer } of rows.filter((row) => row.kept === 'file' && row.peer.bridges !== undefined)) {
  const { bridges, besides } = peer
  for (const other of rows.filter(
    (row) => row.peer.name === bridges && (besides ?? row.peer.store) === row.peer.store,
  )) {
    const [ours, theirs] = [peer, other.peer].map(({ name, store }) => taken[`${name} · ${store}`] ?? []) as [
      Taken[],
      Taken[],
    ]
    const commits = median(ours.map((one) => one.commits))
    for (const [key, figure] of Object.entries({ wall: 'p50', cpu: 'processor until it runs, p50' } as const)) {
      const of = (list: readonly Taken[]) => list.map((one) => one[key as 'wall' | 'cpu'])
      const alone = of(theirs)
      const durable = of(commit).map((ms, round) => alone[round]! + commits * ms)
      const comparisons = [
        ['bridge', 'the same alone', alone],
        ['bridge-durable', `the same alone and ${commits} bare commits`, durable],
      ] as const
      const about = { bridge: `${bridges} (${other.peer.store})`, commits, figure }
      const row: Record<string, unknown> = { ...about, alone: digits(median(alone)), with: digits(median(of(ours))) }
      for (const [prefix, unit, base] of comparisons) {
        const all = ratios(of(ours), base)
        row[`× ${prefix === 'bridge' ? 'alone' : 'alone and its commits'}`] = digits(median(all))
        results.push({
          id: `${prefix}-${key}-${slug(`${bridges} ${other.peer.store}`)}`,
          scenario: `yes → the tool runs, ${bridges} with its bridge on SQLite, FULL`,
          figure,
          unit: `× ${unit} (${other.peer.store})`,
          better: 'lower',
          value: median(all),
          spread: [quantile(all, 0.1), quantile(all, 0.9)],
          target: 2,
          peers: [{ name: named(other), ...versionIn(other), value: 1 }],
        })
      }
      overheads.push(row)
    }
  }
}
bare.close()
rmSync(folder, { recursive: true })
await close()
report({
  about: `${ROUNDS} interleaved rounds after ${WARM_UP}; all in one process, models answer at once`,
  results,
  rows: {
    'yes → the tool runs, ms': rows.map(({ peer, row }) => ({
      name: `${peer.name} ${peer.version ?? ''}`.trim(),
      kept: peer.store,
      ...Object.fromEntries(Object.entries(row).map(([key, value]) => [key, digits(value)])),
    })),
    'bridges on SQLite, FULL, ms': overheads,
    'left out': LEFT_OUT,
    'physical limit, ms': [
      { '4 KiB and fdatasync': digits(median(flushed)), [BARE]: digits(median(commit.map(({ wall }) => wall))) },
    ],
  },
})
process.exit(0)
