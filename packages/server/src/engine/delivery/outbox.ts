import type { FollowUpDelivery, ToolResultDelivery } from '../types.ts'
import { decodeRow } from './codec.ts'
import type { Core } from './core.ts'
import { pause } from './environment.ts'
import { applyGrant } from './grants.ts'
import { ownerTag, PARKED_TAG, randomId } from './names.ts'
import { errorFacts } from './observe.ts'
import { persist } from './persist.ts'
import type { DeliveryRow } from './rows.ts'

const PAGE = 50
/** A hook that is at work for longer is taken for dead, and its delivery made again. */
const HOOK_MS = 5 * 60_000
const FIRST_RETRY_MS = 1_000
const LONGEST_RETRY_MS = 5 * 60_000
const IDLE_MS = 30_000
const SOON_MS = 2

/** Gives on what was committed to be given on: at least once each, under a stable id, until its hook resolves. */
export class Outbox {
  private readonly core: Core
  private readonly hooks = new Set<Promise<void>>()
  /** What promises took and the store does not know yet, by partition. */
  private readonly taken = new Map<string, Set<string>>()

  constructor(core: Core) {
    this.core = core
    core.alarm.add('deliveries', () => this.sweep())
  }

  /** Something is due now. */
  kick(): void {
    const { core } = this
    // Where nothing ticks, it is done at once.
    if (core.settings.waiting === 'suspend') core.background('deliveries', this.sweep())
    else core.alarm.within('deliveries', 0)
  }

  /** The promise that waited has it: nobody else needs it any more. */
  handed(partition: string, deliveryId: string): void {
    const taken = this.taken.get(partition)
    if (taken) return void taken.add(deliveryId)
    this.taken.set(partition, new Set([deliveryId]))
    this.core.background('acknowledging results', this.acknowledge(partition))
  }

  /** Before a process ends: what was not acknowledged would be delivered once more. */
  async flush(): Promise<void> {
    await Promise.all([...this.taken.keys()].map((partition) => this.acknowledgeNow(partition)))
  }

  /** Whoever waited goes on first, and what is taken at the same time shares one commit. */
  private async acknowledge(partition: string): Promise<void> {
    await pause(this.core.environment, 0)
    await this.acknowledgeNow(partition)
  }

  private async acknowledgeNow(partition: string): Promise<void> {
    const taken = [...(this.taken.get(partition) ?? [])]
    this.taken.delete(partition)
    if (taken.length === 0) return
    // As a rule nobody touched them since they were written: then there is nothing to read.
    const deletes = taken.map((id) => ({ kind: 'delivery', id, expect: 1 }))
    const done = await this.core.store.commit({ partition, deletes }).catch(() => ({ ok: false }))
    if (done.ok) return
    await this.core.transact(partition, async (tx) => {
      const rows = await tx.read(...taken.map((id) => ['delivery', id] as const))
      // One attempt was made already: its hook acknowledges.
      for (const row of rows) if (row?.attempts === 0) tx.delete('delivery', row.deliveryId)
    })
  }

  /** Hooks that are running. */
  get busy(): number {
    return this.hooks.size
  }

  /** Resolves when no hook is running any more. */
  async settled(): Promise<void> {
    while (this.hooks.size > 0) await Promise.all(this.hooks)
  }

  /** Starts everything that is due. Hooks run side by side: a slow one holds nobody up. */
  async sweep(): Promise<number | undefined> {
    for (;;) {
      const { now, rows, nextDue } = await this.core.store.due('delivery', { limit: PAGE })
      await Promise.all(rows.map((row) => this.attempt(row.partition, decodeRow('delivery', row.data) as DeliveryRow)))
      if (rows.length < PAGE)
        return nextDue === undefined ? IDLE_MS : Math.min(IDLE_MS, Math.max(SOON_MS, nextDue - now))
    }
  }

  /** Hooks may have been missing when something was to be delivered; they are there now. */
  async unpark(): Promise<void> {
    for (;;) {
      const { rows } = await this.core.store.byTag(PARKED_TAG, { limit: PAGE })
      let moved = 0
      for (const { partition, data } of rows) {
        const parked = decodeRow('delivery', data) as DeliveryRow
        if (!this.hookOf(parked)) continue
        await this.write(partition, parked, undefined, (now) => ({ row: parked, due: now }))
        moved++
      }
      if (moved > 0) this.kick()
      if (rows.length < PAGE || moved === 0) return
    }
  }

  private async attempt(partition: string, seen: DeliveryRow): Promise<void> {
    const { core } = this
    if (!this.hookOf(seen)) return await this.park(partition, seen)
    await core.nodes.alive()
    // Whoever writes its claim first makes the attempt; the others find it is not due any more.
    const claim = randomId(core.environment)
    const row: DeliveryRow = { ...seen, attempts: seen.attempts + 1, claim }
    const tags = [ownerTag(core.incarnation)]
    const mine = await this.write(partition, seen, claim, (now) => ({ row, due: now + HOOK_MS, tags }))
    if (!mine) return
    const hook = this.deliver(partition, row)
    this.hooks.add(hook)
    core.background(
      'a delivery',
      hook.finally(() => this.hooks.delete(hook)),
    )
  }

  private async deliver(partition: string, row: DeliveryRow): Promise<void> {
    const { core } = this
    try {
      await this.hookOf(row)?.()
      await persist(core, () => core.transact(partition, async (tx) => tx.delete('delivery', row.deliveryId)))
      this.report('delivered', row)
    } catch (error) {
      core.log.warn('a delivery failed and will be repeated', { deliveryId: row.deliveryId, ...errorFacts(error) })
      const backoff = Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** (row.attempts - 1))
      await this.write(partition, row, row.claim, (now) => ({ row, due: now + backoff }))
      core.alarm.within('deliveries', backoff)
      this.report('delivery_failed', row)
    }
  }

  /** The process that was at it is gone. */
  async takeOver(partition: string, id: string): Promise<void> {
    await this.core.transact(partition, async (tx) => {
      const [row] = await tx.read(['delivery', id])
      if (row) tx.put('delivery', id, row, { due: tx.now })
    })
    this.kick()
  }

  private hookOf(row: DeliveryRow): (() => unknown) | undefined {
    const { onToolResult, onFollowUp } = this.core.settings
    if (row.type === 'tool_result') return onToolResult && (() => onToolResult(toolResult(row)))
    if (row.type === 'follow_up') return onFollowUp && (() => onFollowUp(followUpOf(row)))
    return () => applyGrant(this.core, row.tenant, row.grantId, row.grant)
  }

  /** Kept until a process comes that has the hook. */
  private async park(partition: string, row: DeliveryRow): Promise<void> {
    const hook = row.type === 'tool_result' ? 'onToolResult' : 'onFollowUp'
    this.core.log.warn(`there is something to deliver and no ${hook}: pass it to createHoldpoint`, {
      deliveryId: row.deliveryId,
    })
    await this.write(partition, row, undefined, () => ({ row, due: null, tags: [PARKED_TAG] }))
  }

  /** Changes a delivery unless somebody else did so since it was seen; `claim` recognises one's own write. */
  private write(
    partition: string,
    seen: DeliveryRow,
    claim: string | undefined,
    change: (now: number) => { row: DeliveryRow; due: number | null; tags?: string[] },
  ): Promise<boolean> {
    return this.core.transact(partition, async (tx) => {
      const [row] = await tx.read(['delivery', seen.deliveryId])
      if (!row) return false
      if (row.attempts !== seen.attempts) return row.claim === claim
      const next = change(tx.now)
      tx.put('delivery', seen.deliveryId, next.row, next)
      return true
    })
  }

  private report(type: 'delivered' | 'delivery_failed', row: DeliveryRow): void {
    if (row.type === 'grant') return
    const { tenant, sessionId, runId, toolCallId, toolName, attempts, at } = row
    this.core.emit({ type, at, tenant, sessionId, runId, toolCallId, toolName, attempts, delivery: row.type })
  }
}

function toolResult(row: Extract<DeliveryRow, { type: 'tool_result' }>): ToolResultDelivery {
  const base = addressOf(row)
  const { result } = row
  if (result.status === 'completed') return { ...base, status: 'completed', result: result.result }
  if (result.status === 'error') {
    return { ...base, status: 'error', result: { error: { code: result.code, message: result.message } } }
  }
  const { outcome, reason, output } = result
  const said = { ...(reason !== undefined && { reason }), ...(output !== undefined && { output }) }
  return { ...base, status: 'refused', result: { refused: outcome, ...said } }
}

function followUpOf(row: Extract<DeliveryRow, { type: 'follow_up' }>): FollowUpDelivery {
  const { reason, interactionId, message, answer } = row
  const { answerId: _id, digest: _digest, at: _at, by: _by, diffDecisions: _decisions, ...said } = answer
  return { ...addressOf(row), reason, interactionId, message, answer: said }
}

function addressOf({ deliveryId, tenant, sessionId, userId, runId, toolCallId, toolName }: DeliveryRow) {
  return { deliveryId, tenant, sessionId, userId, runId, toolCallId, toolName }
}
