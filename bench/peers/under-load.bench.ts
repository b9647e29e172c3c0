import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Panel, plot } from '../support/plot.ts'
import { report } from '../support/report.ts'
import type { Result } from '../support/result.ts'
import { digits, quantile } from '../support/statistics.ts'
import { installedPeers } from './installed-peers.ts'
import type { Answer, Kept, LoadedPeer, ResumePeer } from './resume/peer.ts'

/**
 * From a yes to the tool that runs, while questions and answers arrive at random at 25, 50 and 75 % of the rate that each
 * library reaches in this process. The time of an answer begins when it was due, so an answer that has to wait for the
 * processor counts with its waiting. The plot is written to `results/under-load.svg`. `--quick`: shorter.
 */
const QUICK = process.argv.includes('--quick')
const MAXIMUM_MS = QUICK ? 1_000 : 3_000
const LOAD_MS = QUICK ? 1_500 : 5_000
const AT_ONCE = 100
/** A question is asked this long before its answer is due. */
const AHEAD_MS = 50
const SHARES = [0.25, 0.5, 0.75]
/** Slow libraries need more time for as many answers. */
const LEAST_ANSWERS = 300
const LABELS: Record<Kept, string> = { process: 'in memory', file: 'in a file', server: 'in a database server' }

const isOurs = ({ peer }: LoadedPeer) => peer.name === 'Holdpoint'
const turn = () => new Promise((resolve) => setImmediate(resolve))

/** Questions a second that are asked, answered and finished, without a pause. */
async function maximum(peer: ResumePeer): Promise<number> {
  let [count, until] = [0, performance.now() + MAXIMUM_MS / 2]
  const caller = async () => {
    while (performance.now() < until) {
      const answer = await peer.ask(() => {})
      await answer(0)
      count++
    }
  }
  const callers = () => Promise.all(Array.from({ length: AT_ONCE }, caller))
  await callers()
  const began = performance.now()
  until = began + MAXIMUM_MS
  count = 0
  await callers()
  return (count * 1_000) / (performance.now() - began)
}

/** Milliseconds from each yes until its tool ran, at a rate of arrivals that are independent of each other. */
async function underLoad(peer: ResumePeer, perSecond: number): Promise<number[]> {
  const taken: number[] = []
  const ended: Promise<unknown>[] = []
  const asked: { dueAt: number; answer: Promise<Answer> }[] = []
  const duration = Math.max(LOAD_MS, (LEAST_ANSWERS * 1_000) / perSecond)
  const began = performance.now()
  for (let nextAt = began; nextAt < began + duration || asked.length > 0; ) {
    const now = performance.now()
    while (nextAt <= now && nextAt < began + duration) {
      const dueAt = nextAt + AHEAD_MS
      asked.push({ dueAt, answer: peer.ask(() => taken.push(performance.now() - dueAt)) })
      nextAt -= (Math.log(1 - Math.random()) * 1_000) / perSecond
    }
    while (asked[0] && asked[0].dueAt <= now) ended.push(asked.shift()!.answer.then((answer) => answer(0)))
    await turn()
  }
  await Promise.all(ended)
  // The first fifth is when everything gets warm.
  return taken.slice(taken.length / 5)
}

interface Point {
  share: number
  perSecond: number
  p50: number
  p99: number
}

async function measured({ peer }: LoadedPeer): Promise<{ most: number; points: Point[] }> {
  const most = await maximum(peer)
  const points: Point[] = []
  for (const share of SHARES) {
    const taken = await underLoad(peer, share * most)
    points.push({ share, perSecond: share * most, p50: quantile(taken, 0.5), p99: quantile(taken, 0.99) })
  }
  return { most, points }
}

const { loadedPeers } = await installedPeers()
const { peers, close } = await loadedPeers()
const all: (LoadedPeer & Awaited<ReturnType<typeof measured>>)[] = []
for (const one of peers) all.push({ ...one, ...(await measured(one)) })
await close()

const kinds = (Object.keys(LABELS) as Kept[]).filter((kept) => all.some((one) => one.kept === kept))
const panels = (['p50', 'p99'] as const).flatMap((percentile) =>
  kinds.map((kept): Panel => {
    const curves = all
      .filter((one) => one.kept === kept)
      .map(({ name, points }) => ({
        name,
        points: points.map((point) => ({ x: point.perSecond, y: point[percentile] * 1_000 })),
      }))
    return { title: `${LABELS[kept]}, ${percentile}`, xLabel: 'answers a second', curves }
  }),
)
const results = join(import.meta.dirname, '../results')
mkdirSync(results, { recursive: true })
const title = 'yes → the tool runs, at 25, 50 and 75 % of the maximum rate'
writeFileSync(join(results, 'under-load.svg'), plot(title, 'µs', panels, kinds.length))

const figures = kinds.flatMap((kept) => {
  const here = all.filter((one) => one.kept === kept)
  return here.filter(isOurs).flatMap((ours) =>
    ours.points.flatMap(({ share }, index) =>
      (['p50', 'p99'] as const).map(
        (percentile): Result => ({
          id: `${ours.peer.store.toLowerCase().replaceAll(/[^a-z]+/g, '-')}-${share * 100}-${percentile}`,
          scenario: `yes → the tool runs, kept ${LABELS[kept]} (${ours.peer.store}), at ${share * 100} % of the maximum rate`,
          figure: percentile,
          unit: 'ms',
          better: 'lower',
          value: ours.points[index]?.[percentile] ?? Number.NaN,
          peers: here
            .filter((one) => !isOurs(one))
            .map(({ peer, points }) => ({
              name: `${peer.name} (${peer.store})`,
              ...(peer.version && { version: peer.version }),
              value: points[index]?.[percentile] ?? Number.NaN,
            })),
        }),
      ),
    ),
  )
})
report({
  about: `each library at shares of its own maximum, which it reaches with ${AT_ONCE} callers in one process`,
  results: figures,
  rows: {
    'yes → the tool runs, ms': all.flatMap(({ name, kept, most, points }) =>
      points.map(({ share, perSecond, p50, p99 }) => ({
        name,
        kept: LABELS[kept],
        'maximum a second': Math.round(most),
        share: `${share * 100} %`,
        'a second': Math.round(perSecond),
        p50: digits(p50),
        p99: digits(p99),
      })),
    ),
  },
})
process.exit(0)
