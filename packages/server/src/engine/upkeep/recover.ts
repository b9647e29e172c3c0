import { taggedPages } from '../../store/every-page.ts'
import type { Row } from '../../store/port.ts'
import { isAlive } from '../calls/heartbeat.ts'
import { warnOfUnknownTool } from '../delivery/unregistered-tool.ts'
import { leaveQuestion } from '../ending/abandon-question.ts'
import { nodesPartition, ownerTag, sessionIdOf } from '../records/keys.ts'
import { isUnreadable } from '../records/row-codec.ts'
import type { ToolKernel } from '../tools/tool-kernel.ts'

const PAGE = 50
const NODES = 1_000

/**
 * Takes over what processes left behind whose heartbeat lapsed: registered tools run again here; questions of bare
 * calls are left to their answers. Returns how many tools were started.
 */
export async function recover(kernel: ToolKernel): Promise<number> {
  await kernel.ready()
  let recovered = await takeOver(kernel, kernel.incarnation).then(({ started }) => started)
  await kernel.heartbeat.lapseFromTheFuture()
  for (const row of (await kernel.store.due('node', { limit: NODES })).rows) {
    if (row.id === kernel.incarnation) continue
    const { started, left } = await takeOver(kernel, row.id)
    recovered += started
    // Rows that only other processes can handle are left to them.
    if (left === 0) await forget(kernel, row)
    // Any node may now handle its deliveries and deadlines.
    kernel.outbox.runSoon()
    kernel.scheduler.runWithin('questions', 0)
  }
  return recovered
}

/** `left` counts calls of tools that only other processes know. */
async function takeOver(kernel: ToolKernel, incarnation: string): Promise<{ started: number; left: number }> {
  const own = incarnation === kernel.incarnation
  let started = 0
  let left = 0
  for await (const { rows } of taggedPages(kernel.store, ownerTag(incarnation), PAGE)) {
    for (const row of rows) {
      const { kind, partition, id } = row
      try {
        if (kind === 'question') {
          if (!own) await leaveQuestion(kernel, partition, id)
        } else if (kind === 'delivery') {
          if (!own) await kernel.outbox.takeOver(partition, id)
        } else if (!kernel.tools.isRunning(partition, id)) {
          if (await kernel.tools.resume(partition, id, 'recovered')) started++
          else {
            left++
            if (!own) await leaveCallOfUnknownTool(kernel, partition, id, incarnation)
          }
        }
      } catch (error) {
        // A node of the release that wrote it can take it over.
        if (!isUnreadable(error)) throw error
        kernel.rows.report(row, error)
        left++
      }
    }
  }
  return { started, left }
}

/** A process that is gone is forgotten once nothing is left of it. */
async function forget(kernel: ToolKernel, node: Row): Promise<void> {
  if (!kernel.rows.read('node', node)) return
  await kernel.transact(nodesPartition, async (tx) => {
    const [row] = await tx.read(['node', node.id])
    if (row && !isAlive(row, tx.now)) tx.delete('node', node.id)
  })
}

/**
 * A call of a dead process whose tool this process does not register. A process that registers it may still run it
 * again. Until then its questions have no waiter, so that an answer leaves as a follow-up after `orphanAfterMs` instead
 * of waiting forever.
 */
export async function leaveCallOfUnknownTool(
  kernel: ToolKernel,
  partition: string,
  id: string,
  owner: string,
): Promise<void> {
  const [row] = await kernel.transact(partition, (tx) => tx.read(['call', id]))
  // Another process may have taken it over meanwhile.
  if (!row?.registered || row.owner !== owner || row.status === 'finished' || kernel.findTool(row.toolName)) return
  const { runId, toolCallId, toolName } = row
  warnOfUnknownTool(kernel, { sessionId: sessionIdOf(partition), runId, toolCallId, toolName })
  for (const { interactionId } of Object.values(row.keys)) await leaveQuestion(kernel, partition, interactionId)
}
