import type { Limits } from '@holdpoint/core/protocol'
import type { Environment } from '../../base/environment.ts'
import type { Scheduler } from '../../base/scheduler.ts'
import type { SerialQueue } from '../../base/serial-queue.ts'
import type { Store } from '../../store/port.ts'
import type { ProviderChanges } from '../accounts/provider-changes.ts'
import type { SecretVault } from '../answering/secret-vault.ts'
import { errorFacts, type LifecycleEvent, type Logger } from '../api/lifecycle-event.ts'
import type { RunningCalls } from '../calls/claim-call.ts'
import type { Heartbeat } from '../calls/heartbeat.ts'
import type { OwnershipWatch } from '../calls/ownership-watch.ts'
import type { Outbox } from '../delivery/outbox.ts'
import type { ReadableRows } from '../records/readable-rows.ts'
import type { KnownRows, Transaction } from '../records/transaction.ts'
import type { CallRow, QuestionRow } from '../state/rows.ts'
import type { ToolRegistry } from '../tools/tool-registry.ts'
import type { RequestTick } from '../upkeep/tick.ts'
import type { Presence } from '../waiting/presence.ts'
import type { Waiters } from '../waiting/waiters.ts'
import type { Counters } from './counters.ts'
import type { Settings } from './settings.ts'

/** What every room of the engine shares. It hangs on one instance; nothing of it lives in a module. */
export interface Kernel {
  readonly store: Store
  readonly environment: Environment
  readonly settings: Settings
  readonly limits: Limits
  readonly log: Logger
  /** Names this process in the store, until it ends. */
  readonly incarnation: string
  /** Resolves once the store can be used. */
  ready(): Promise<void>
  /** Decodes what was listed, row by row. */
  readonly rows: ReadableRows
  transact<T>(partition: string, work: (tx: Transaction) => Promise<T>, known?: KnownRows): Promise<T>
  emit(event: LifecycleEvent): void
  readonly counters: Counters
  /** Sessions that this process wrote to since their logs were looked at last. */
  readonly touched: Set<string>
  /** Work that nobody awaits: kept alive where the platform has a way to, its failure logged. */
  background(what: string, work: Promise<unknown>): void
  readonly serialQueue: SerialQueue
  readonly scheduler: Scheduler
  readonly waiters: Waiters
  readonly calls: RunningCalls
  readonly ownershipWatch: OwnershipWatch
  readonly heartbeat: Heartbeat
  readonly outbox: Outbox
  readonly presence: Presence
  readonly tools: ToolRegistry
  readonly vault: SecretVault
  readonly providerChanges: ProviderChanges
  readonly requestTick: RequestTick
}

/** The facts that a step of a question is reported with. */
export function questionFacts(row: QuestionRow, at: number) {
  return {
    at,
    tenant: row.tenant,
    sessionId: row.sessionId,
    runId: row.runId,
    toolCallId: row.toolCallId,
    toolName: row.toolName,
    interactionId: row.id,
    kind: row.kind,
    attempt: row.attempt,
    ...(row.traceparent !== undefined && { traceparent: row.traceparent }),
    ...(row.answeredIn !== undefined && { answeredIn: row.answeredIn }),
  }
}

/** Each question is reported as asked once, and as closed once. */
export function reportClosed(kernel: Kernel, row: QuestionRow, at: number): void {
  const { outcome } = row
  const refusal = outcome?.type === 'refused' ? outcome.outcome : undefined
  kernel.emit({
    type: 'closed',
    ...questionFacts(row, at),
    outcome: refusal ?? outcome?.type ?? row.status,
    ...(refusal && { refusal }),
    waitedMs: at - row.askedAt,
  })
}

/** The trace in which this happens, as the host's hook knows it. */
export function traceContext({ settings, log }: Kernel): string | undefined {
  try {
    return settings.traceparent?.()
  } catch (error) {
    log.warn('traceparent threw', errorFacts(error))
    return undefined
  }
}

export function callFacts(session: { tenant: string; sessionId: string }, call: CallRow, at: number) {
  const { runId, toolCallId, toolName } = call
  return { at, tenant: session.tenant, sessionId: session.sessionId, runId, toolCallId, toolName }
}
