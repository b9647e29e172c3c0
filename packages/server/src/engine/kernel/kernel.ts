import type { Limits } from '@holdpoint/core/internal'
import type { Environment } from '../../base/environment.ts'
import type { Logger } from '../../base/logger.ts'
import type { Scheduler } from '../../base/scheduler.ts'
import type { SerialQueue } from '../../base/serial-queue.ts'
import type { Store } from '../../store/port.ts'
import type { Outreach } from '../api/deliveries.ts'
import type { LifecycleEvent } from '../api/lifecycle-event.ts'
import type { ArgsSchema } from '../api/questions.ts'
import type { AnyTool } from '../api/tool.ts'
import type { OwnCommits } from '../records/own-commits.ts'
import type { ReadableRows } from '../records/readable-rows.ts'
import type { KnownRows, Transaction } from '../records/transaction.ts'
import type { DeliveryRow, QuestionRow, SurfaceDelivery } from '../state/rows.ts'
import type { Counters } from './counters.ts'
import type { QuestionRoom } from './question-room.ts'
import type { Settings } from './settings.ts'

/**
 * The services that every folder of the engine uses. A folder that adds services extends it (`CallKernel`,
 * `DeliveryKernel`, …), so the type of a function's kernel says which folders it builds on.
 */
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
  /** Tells the commits of this engine from those of others. */
  readonly ownCommits: OwnCommits
  transact<T>(partition: string, work: (tx: Transaction) => Promise<T>, known?: KnownRows): Promise<T>
  emit(event: LifecycleEvent): void
  readonly counters: Counters
  /** Sessions to which this process wrote since it read their logs last. */
  readonly touched: Set<string>
  /** Work that no caller awaits: kept alive where the platform supports it, and logged if it fails. */
  background(what: string, work: Promise<unknown>): void
  readonly serialQueue: SerialQueue
  readonly scheduler: Scheduler
  /** How many questions may be asked in each session before the open ones are counted again. */
  readonly questionRoom: QuestionRoom
  /** The surfaces of this process; they can be added after the kernel was made. */
  outreach?: Outreach

  // Ports: functions of folders above, for the folders below them. assemble.ts binds them.

  /** Makes the promise that waits for this question in this process read its row. */
  wakeWaiters(partition: string, interactionId: string): void
  /** Makes all promises that wait in this process read their rows: another process may own their calls now. */
  wakeAllWaiters(): void
  /** How many waiters and hooks rest on the lease of this process, besides its running calls. */
  waitersAndHooks(): number
  /**
   * Milliseconds since each of these users last had this session or the inbox on a visible page that can show questions,
   * on any node: 0 while the user has, and Infinity if the user has not lately.
   */
  unseenForMs(
    session: { tenant: string; sessionId: string },
    users: readonly string[],
  ): Promise<ReadonlyMap<string, number>>
  /** Runs a suspended tool call again in the background, if this process has its tool. */
  resumeCall(partition: string, call: string): void
  /** Applies a remembered approval, and settles the open questions that it covers. */
  rememberApproval(delivery: Extract<DeliveryRow, { type: 'remembered_approval' }>): Promise<void>
  /** Settles a question that was opened while an approval that covers it was being remembered. */
  lookForApproval(row: QuestionRow): Promise<void>
  /** Makes a delivery to the surfaces. */
  reachOut(row: SurfaceDelivery): Promise<unknown>
  /** The tool of this name that this process can run. */
  findTool(name: string): AnyTool | undefined
  /** The schema of arguments that a person changed, for tools that this process knows. */
  editSchema(toolName: string): ArgsSchema<unknown> | undefined
  /** The settings that users may choose, by tool. */
  toolChoices(): ReadonlyMap<string, readonly string[]>
}
