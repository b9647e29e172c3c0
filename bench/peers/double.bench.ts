import { report } from '../support/report.ts'
import type { Peer, Result } from '../support/result.ts'
import { installedPeers } from './installed-peers.ts'
import type { ResumePeer } from './resume/peer.ts'

/**
 * The same question is answered by 50 tabs at once, and one answer comes again after all is over: how often does the
 * tool run? A count: it does not depend on who else uses the machine, only on who is first. The worst of the rounds
 * counts.
 */
const TABS = 50
const REPEATS = 10
const ROUNDS = 3

interface Counted {
  /** Runs of the tool: of 50 answers at once, and of one answer and then the same ten times more. */
  atOnce: number
  repeated: number
  /** Of the 50, how many were told that they were not the one. */
  told: number
}

async function count(peer: ResumePeer): Promise<Counted> {
  const worst: Counted = { atOnce: 0, repeated: 0, told: TABS }
  for (let round = 0; round < ROUNDS; round++) {
    let ran = 0
    const race = await peer.ask(() => ran++)
    const ended = await Promise.allSettled(Array.from({ length: TABS }, (_, tab) => race(tab)))
    await over()
    worst.atOnce = Math.max(worst.atOnce, ran)
    worst.told = Math.min(worst.told, ended.filter(({ status }) => status === 'rejected').length)
    ran = 0
    const again = await peer.ask(() => ran++)
    for (let repeat = 0; repeat <= REPEATS; repeat++) await again(0).catch(() => {})
    await over()
    worst.repeated = Math.max(worst.repeated, ran)
  }
  return worst
}

/** The figure of another library. */
function figureOf({ peer, ...one }: { peer: ResumePeer } & Counted, key: 'atOnce' | 'repeated'): Peer {
  return { name: `${peer.name} (${peer.store})`, ...(peer.version && { version: peer.version }), value: one[key] }
}

const idOf = ({ bridges = '', store }: ResumePeer) => `${bridges} ${store}`.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')

/** Waits until a library that continues without a further request has done so. */
const over = () => new Promise((resolve) => setTimeout(resolve, 100))

const { everyPeer, LEFT_OUT } = await installedPeers()
const results: Result[] = []
const rows: object[] = []
const SCENARIOS = [
  ['at-once', `${TABS} answers to one question at once`, 'atOnce'],
  ['repeated', `one answer, and the same ${REPEATS} times more`, 'repeated'],
] as const
for (const nodes of [1, 2] as const) {
  const { peers, close } = await everyPeer(nodes)
  const counted: ({ peer: ResumePeer } & Counted)[] = []
  for (const peer of peers.keys()) counted.push({ peer, ...(await count(peer)) })
  await close()
  for (const { peer, atOnce, repeated, told } of counted) {
    rows.push({
      name: `${peer.name} ${peer.version ?? ''}`.trim(),
      kept: peer.store,
      [`${TABS} at once`]: atOnce,
      'told that they lost': told,
      [`1 + ${REPEATS} repeats`]: repeated,
      'its documents': peer.note ?? '',
    })
  }
  for (const { peer, ...ours } of counted.filter(({ peer }) => peer.bridges !== undefined && nodes === 1)) {
    const alone = counted.filter((one) => one.peer.name === peer.bridges)
    for (const [id, scenario, key] of SCENARIOS) {
      results.push({
        id: `bridge-${id}-${idOf(peer)}`,
        scenario: `${scenario}: ${peer.bridges} with its bridge, ${peer.store}`,
        figure: 'runs of the tool',
        unit: '',
        better: 'lower',
        value: ours[key],
        target: 1,
        peers: alone.map((one) => figureOf(one, key)),
      })
    }
  }
  const isOurs = ({ peer }: (typeof counted)[number]) => peer.name.startsWith('Holdpoint')
  for (const [id, scenario, key] of SCENARIOS) {
    const ours = counted.filter(isOurs).map((one) => one[key])
    if (ours.length === 0) continue
    results.push({
      id: nodes === 1 ? id : `${id}-two-nodes`,
      scenario: nodes === 1 ? scenario : `${scenario}, over two nodes`,
      figure: 'runs of the tool, the worst of every store',
      unit: '',
      better: 'lower',
      value: Math.max(...ours),
      target: 1,
      peers: counted.filter((one) => !isOurs(one)).map((one) => figureOf(one, key)),
    })
  }
}
report({
  about: `the worst of ${ROUNDS} rounds; each library set up as its documents show, without a lock of the host's own`,
  results,
  rows: { 'how often the tool ran': rows, 'left out': LEFT_OUT },
})
process.exit(results.every(({ value }) => value === 1) ? 0 : 1)
