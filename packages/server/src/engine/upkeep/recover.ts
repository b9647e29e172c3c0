import type { Row } from '../../store/port.ts'
import { isAlive } from '../calls/heartbeat.ts'
import { leaveCallOfUnknownTool } from '../delivery/unregistered-tool.ts'
import { leaveQuestion } from '../ending/abandon-question.ts'
import type { Core } from '../kernel/kernel.ts'
import { nodesPartition, ownerTag } from '../records/keys.ts'
import { isUnreadable } from '../records/row-codec.ts'

const PAGE = 50
const NODES = 1_000

/**
 * Takes over what processes left behind whose heartbeat lapsed: registered tools run again here; questions of bare
 * calls are left to their answers. Returns how many tools were started.
 */
export async function recover(core: Core): Promise<number> {
  await core.ready()
  let recovered = await takeOver(core, core.incarnation).then(({ started }) => started)
  await core.nodes.lapseFromTheFuture()
  for (const row of (await core.store.due('node', { limit: NODES })).rows) {
    if (row.id === core.incarnation) continue
    const { started, left } = await takeOver(core, row.id)
    recovered += started
    // What only others know is left for them to find.
    if (left === 0) await forget(core, row)
    // Its deliveries and deadlines are anybody's now.
    core.outbox.kick()
    core.alarm.within('questions', 0)
  }
  return recovered
}

/** `left` counts calls of tools that only other processes know. */
async function takeOver(core: Core, incarnation: string): Promise<{ started: number; left: number }> {
  const own = incarnation === core.incarnation
  let started = 0
  let left = 0
  let after: string | undefined
  do {
    const page = await core.store.byTag(ownerTag(incarnation), { limit: PAGE, ...(after !== undefined && { after }) })
    for (const row of page.rows) {
      const { kind, partition, id } = row
      try {
        if (kind === 'question') {
          if (!own) await leaveQuestion(core, partition, id)
        } else if (kind === 'delivery') {
          if (!own) await core.outbox.takeOver(partition, id)
        } else if (!core.tools.isRunning(partition, id)) {
          if (await core.tools.resume(partition, id, 'recovered')) started++
          else {
            left++
            if (!own) await leaveCallOfUnknownTool(core, partition, id, incarnation)
          }
        }
      } catch (error) {
        // A node of the release that wrote it can take it over.
        if (!isUnreadable(error)) throw error
        core.rows.report(row, error)
        left++
      }
    }
    after = page.next
  } while (after !== undefined)
  return { started, left }
}

/** A process that is gone is forgotten once nothing is left of it. */
async function forget(core: Core, node: Row): Promise<void> {
  if (!core.rows.read('node', node)) return
  await core.transact(nodesPartition, async (tx) => {
    const [row] = await tx.read(['node', node.id])
    if (row && !isAlive(row, tx.now)) tx.delete('node', node.id)
  })
}
