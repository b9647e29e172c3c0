import { HoldpointError, isHoldpointError } from '@holdpoint/core'
import { type Environment, systemEnvironment } from '../base/environment.ts'
import type { Logger } from '../base/logger.ts'
import { silentLogger } from '../base/logger.ts'
import { Scheduler } from '../base/scheduler.ts'
import { randomToken } from '../security/hashes.ts'
import { createGuardedFetch, type GuardedFetch } from '../security/outbound/guarded-fetch.ts'
import { createVault, type Sealed, type VaultKey } from '../security/vault.ts'
import type { RowRef, Store } from '../store/port.ts'
import { changeRow, parse, type RowDeps } from '../store/shared/change-row.ts'
import { type Attempt, nextStep, reasonOf, retryAfterOf } from './delivery-decision.ts'
import { signWebhook } from './signature.ts'
import { Slots } from './slots.ts'

/**
 * The address and secrets of a destination. They are requested at each attempt, so that tokens are fresh and not
 * stored.
 */
export interface WebhookTarget {
  url: string
  secrets: readonly string[]
}

/** Options of `createWebhookSender`. */
export interface WebhookSenderOptions {
  store: Store
  /** Encrypts messages that wait for delivery. */
  vaultKeys: readonly VaultKey[]
  /** Returns the address and secrets of a destination, or null if the destination no longer exists. */
  target: (destination: string) => WebhookTarget | null | Promise<WebhookTarget | null>
  /**
   * Sends the requests.
   *
   * @default a fetch that rejects private addresses and redirects
   */
  fetch?: GuardedFetch
  /**
   * Milliseconds to wait after each failed attempt. After the last one, the message becomes a dead letter.
   *
   * @default seven delays from 1 second to 30 minutes
   */
  delaysMs?: readonly number[]
  /**
   * The maximum number of messages that are sent at the same time.
   *
   * @default 32
   */
  atOnce?: number
  logger?: Logger
  environment?: Partial<Environment>
  now?: () => number
}

/** A message that was given up after its last attempt. List them, then `redeliver` or `discard`. */
export interface DeadLetter {
  id: string
  destination: string
  attempts: number
  /** The reason of the last failure: `status 500`, `unreachable`. */
  reason: string
}

interface LetterRow {
  destination: string
  body: Sealed
  attempts: number
  reason?: string
  lease?: { id: string; until: number }
}

const KIND = 'webhook_letter'
const DEAD = 'conn/webhook-dead'
const LETTERS = 'letters'
const LEASE_MS = 60_000
const SOON_MS = 5
const AT_ONCE = 32
const DELAYS = [1_000, 5_000, 30_000, 120_000, 600_000, 1_800_000, 1_800_000]

/** Delivers signed messages, retries after failures, and keeps undeliverable ones. Created by `createWebhookSender`. */
export type WebhookSender = ReturnType<typeof createWebhookSender>

/**
 * Creates a sender of webhooks. A message is stored first, and then sent with growing delays until it is accepted. Each
 * attempt is signed and has the same id. An undeliverable message becomes a dead letter. Messages may arrive in a
 * different order.
 *
 * @example
 * const sender = createWebhookSender({
 *   store,
 *   vaultKeys,
 *   target: (sessionId) => targets.get(sessionId) ?? null,
 * })
 * await sender.send('task-42', { sessionId: 'task-42', type: 'text', id: 'text-1', text: 'Done.' })
 */
export function createWebhookSender(options: WebhookSenderOptions) {
  const environment = { ...systemEnvironment(), ...options.environment }
  const deps: RowDeps = { store: options.store, environment }
  const vault = createVault(options.vaultKeys, environment.randomBytes)
  const fetch = options.fetch ?? createGuardedFetch()
  const logger = options.logger ?? silentLogger
  const now = options.now ?? Date.now
  const delays = options.delaysMs ?? DELAYS
  const slots = new Slots(options.atOnce ?? AT_ONCE)
  const chance = () => (environment.randomBytes(1)[0] ?? 0) / 255
  const failed = (error: unknown) =>
    logger.error('Could not read the pending webhooks.', { error: String(error instanceof Error && error.name) })
  const alarm = new Scheduler(environment, undefined, (_job, error) => failed(error))

  const attemptOnce = async (id: string, row: LetterRow): Promise<Attempt> => {
    const body = vault.open(row.body, [KIND, id, row.destination])
    const target = await options.target(row.destination)
    if (!target) return { kind: 'failed', reason: 'no_target' }
    const at = now()
    const headers = await signWebhook({ id, now: at, body, secrets: target.secrets })
    try {
      const response = await fetch(target.url, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body,
      })
      const retryAfterMs = retryAfterOf(response.headers.get('retry-after'), at)
      return { kind: 'answered', status: response.status, ...(retryAfterMs !== undefined && { retryAfterMs }) }
    } catch (error) {
      return { kind: 'failed', reason: isHoldpointError(error, 'url_not_allowed') ? 'url_not_allowed' : 'unreachable' }
    }
  }

  /** Makes one attempt under a lease, so that only one process sends the message. Returns whether it was accepted. */
  const deliver = (id: string): Promise<boolean> => slots.run(() => deliverOnce(id))
  const deliverOnce = async (id: string): Promise<boolean> => {
    const lease = randomToken(environment.randomBytes, 12)
    const mine = await changeRow<LetterRow, LetterRow | null>(deps, refOf(id), (row, at) => {
      if (!row || (row.lease && row.lease.id !== lease && at < row.lease.until)) return { result: null }
      const put = {
        ...row,
        attempts: row.lease?.id === lease ? row.attempts : row.attempts + 1,
        lease: { id: lease, until: at + LEASE_MS },
      }
      return { put, due: at + LEASE_MS, result: put }
    })
    if (!mine) return false
    const attempt = await attemptOnce(id, mine).catch((): Attempt => ({ kind: 'failed', reason: 'unreachable' }))
    const step = nextStep(attempt, mine.attempts, delays, chance())
    const reason = reasonOf(attempt)
    if (step.kind !== 'done')
      logger.warn('A webhook was not delivered.', { id, reason, attempts: mine.attempts, step: step.kind })
    await changeRow<LetterRow, void>(deps, refOf(id), (row, at) => {
      if (row?.lease?.id !== lease) return { result: undefined }
      if (step.kind === 'done') return { remove: true, result: undefined }
      const { lease: _lease, ...rest } = row
      const put = { ...rest, reason }
      if (step.kind === 'dead') return { put, tags: [DEAD], result: undefined }
      return { put, due: at + step.afterMs, result: undefined }
    })
    if (step.kind === 'retry') alarm.runWithin(LETTERS, step.afterMs)
    return step.kind === 'done'
  }

  alarm.add(LETTERS, async () => {
    // A timer may fire a moment before the store's clock is due, so the store determines the next check.
    const { now, rows, nextDue } = await options.store.due(KIND)
    // Deliveries are not awaited, so that a slow destination does not delay the others.
    for (const { id } of rows) deliver(id).catch(failed)
    return nextDue === undefined ? undefined : Math.max(SOON_MS, nextDue - now)
  })

  /** Sends due messages. Call it after a restart, and from a cron job if no process keeps running. */
  const tick = async (): Promise<number> => {
    const { rows } = await options.store.due(KIND)
    const delivered = await Promise.all(rows.map(({ id }) => deliver(id)))
    return delivered.filter(Boolean).length
  }

  const readLetter = async (id: string): Promise<LetterRow> => {
    const { rows } = await options.store.load([refOf(id)])
    if (rows[0]) return parse<LetterRow>(rows[0].data)
    throw new HoldpointError('not_found', 'No pending or dead webhook has this id.')
  }

  return {
    /**
     * Stores the message and tries once to send it. Returns true if it was accepted; otherwise it is retried
     * automatically.
     */
    async send(
      destination: string,
      payload: unknown,
      id = `msg_${randomToken(environment.randomBytes, 18)}`,
    ): Promise<boolean> {
      const body = vault.seal(JSON.stringify(payload), [KIND, id, destination])
      await changeRow<LetterRow, void>(deps, refOf(id), (row, at) =>
        row ? { result: undefined } : { put: { destination, body, attempts: 0 }, due: at, result: undefined },
      )
      return deliver(id)
    },
    tick,
    /** Lists the webhooks that were given up, without their content. */
    async deadLetters(after?: string): Promise<{ letters: DeadLetter[]; next?: string }> {
      const { rows, next } = await options.store.byTag(DEAD, after === undefined ? {} : { after })
      const letters = rows.map(({ id, data }) => {
        const { destination, attempts, reason = '' } = parse<LetterRow>(data)
        return { id, destination, attempts, reason }
      })
      return { letters, ...(next !== undefined && { next }) }
    },
    /** Sends a dead letter again, with the same id and a new count of attempts. */
    async redeliver(id: string): Promise<boolean> {
      await readLetter(id)
      await changeRow<LetterRow, void>(deps, refOf(id), (row, at) =>
        row ? { put: { ...row, attempts: 0 }, due: at, result: undefined } : { result: undefined },
      )
      return deliver(id)
    },
    async discard(id: string): Promise<void> {
      await changeRow<LetterRow, void>(deps, refOf(id), () => ({ remove: true, result: undefined }))
    },
    /** Stops retries in this process. Another process sends the stored messages. */
    close(): void {
      alarm.stop()
    },
  }
}

const refOf = (id: string): RowRef => ({ partition: `conn/webhook-letter/${encodeURIComponent(id)}`, kind: KIND, id })
