import { limits } from '@holdpoint/core/protocol'
import { environmentName, systemEnvironment } from '../base/environment.ts'
import { defaultLogger, errorFacts } from '../base/logger.ts'
import { Scheduler } from '../base/scheduler.ts'
import { SerialQueue } from '../base/serial-queue.ts'
import type { Vault, VaultKey } from '../security/vault.ts'
import type { Store } from '../store/port.ts'
import { ProviderChanges } from './accounts/provider-changes.ts'
import { SecretVault } from './answering/secret-vault.ts'
import { lookForApproval, rememberApproval } from './answering/settle-covered.ts'
import { Heartbeat } from './calls/heartbeat.ts'
import { OwnershipWatch } from './calls/ownership-watch.ts'
import { RunningCalls } from './calls/running-calls.ts'
import { announceQuestion } from './delivery/announce.ts'
import { Outbox } from './delivery/outbox.ts'
import { enforceDeadlines } from './ending/expire.ts'
import { Counters } from './kernel/counters.ts'
import { QuestionRoom } from './kernel/question-room.ts'
import type { Settings } from './kernel/settings.ts'
import { reachOut } from './outreach/reach-out.ts'
import { randomId } from './records/keys.ts'
import { OwnCommits } from './records/own-commits.ts'
import { ReadableRows } from './records/readable-rows.ts'
import type { Written } from './records/touched-rows.ts'
import { transact } from './records/transact.ts'
import type { Transaction } from './records/transaction.ts'
import type { QuestionRow } from './state/rows.ts'
import { resumeNow } from './tools/resume-call.ts'
import type { ToolKernel } from './tools/tool-kernel.ts'
import { ToolRegistry } from './tools/tool-registry.ts'
import { recover } from './upkeep/recover.ts'
import { KEEP_MS, retain } from './upkeep/retention.ts'
import { RequestTick } from './upkeep/tick.ts'
import { Presence } from './waiting/presence.ts'
import { Waiters } from './waiting/waiters.ts'

/** Delayed, so that it does not compete with the start of the process. */
const RETENTION_MS = 10 * 60_000

/** The kernel with all services. */
export interface AssembledKernel extends ToolKernel {
  readonly providerChanges: ProviderChanges
  readonly requestTick: RequestTick
}

/**
 * Puts the folders of the engine together: the only file that knows them all. `cipher` replaces the vault's encryption
 * where the platform has none.
 */
export function assembleEngine(store: Store, settings: Settings, cipher?: Vault): AssembledKernel {
  const environment = { ...systemEnvironment(), ...settings.environment }
  const fallback = defaultLogger(environmentName())
  const log = () => settings.logger ?? fallback
  // Serverless functions are frozen between requests, so only a running tool keeps the timers running there.
  const timed = settings.waiting === 'suspend' ? new Set(['heartbeat']) : undefined
  const scheduler = new Scheduler(environment, timed, (job, error) =>
    log().warn(`${job} failed and will be tried again`, errorFacts(error)),
  )
  const ownCommits = new OwnCommits()
  const writing = {
    ownCommits,
    wrote(partition: string, written: readonly Written[]) {
      kernel.calls.onOwnCommit(partition, written)
      kernel.waiters.onOwnCommit(partition, written)
    },
    store,
    environment,
    keepMs: settings.retention?.endedMs ?? KEEP_MS,
    announce: (tx: Transaction, row: QuestionRow) => announceQuestion(kernel, tx, row),
    onCommit(partition: string) {
      if (settings.retention?.events !== undefined) kernel.touched.add(partition)
    },
  }
  let opened: Promise<void> | undefined

  const kernel = {
    store,
    environment,
    settings,
    limits: { ...limits, ...settings.limits },
    get log() {
      return log()
    },
    incarnation: randomId(environment),
    ready() {
      opened ??= open().catch((error) => {
        opened = undefined
        throw error
      })
      return opened
    },
    rows: new ReadableRows(log),
    ownCommits,
    transact: (partition, work, known) => transact(writing, partition, work, known),
    touched: new Set(),
    counters: new Counters(),
    emit(event) {
      kernel.counters.count(event)
      try {
        settings.onEvent?.(event)
      } catch (error) {
        log().warn('onEvent threw', { type: event.type, ...errorFacts(error) })
      }
    },
    background(what, work) {
      const guarded = work.then(
        () => {},
        (error) => log().error(`${what} failed`, errorFacts(error)),
      )
      settings.waitUntil?.(guarded)
    },
    serialQueue: new SerialQueue(),
    scheduler,
    wakeWaiters: (partition, interactionId) => kernel.waiters.check(partition, interactionId),
    wakeAllWaiters: () => kernel.waiters.checkAll(),
    waitersAndHooks: () => kernel.waiters.size + kernel.outbox.busy,
    unseenForMs: (session, users) => kernel.presence.unseenForMs(session, users),
    resumeCall: (partition, call) => kernel.background('resuming a tool', resumeNow(kernel, partition, call)),
    rememberApproval: (delivery) => rememberApproval(kernel, delivery),
    lookForApproval: (row) => lookForApproval(kernel, row),
    reachOut: (row) => reachOut(kernel, row),
    findTool: (name) => kernel.tools.find(name),
    editSchema: (toolName) => kernel.tools.editSchema(toolName),
    toolChoices: () => kernel.tools.choices(),
  } as { -readonly [K in keyof AssembledKernel]: AssembledKernel[K] }

  const open = async () => {
    await store.open()
    scheduler.runWithin('questions', 0)
    scheduler.runWithin('deliveries', 0)
    scheduler.runWithin('takeover', settings.leaseMs)
    scheduler.runWithin('retention', RETENTION_MS)
    kernel.background('looking for deliveries that waited for a hook', kernel.outbox.unpark())
  }
  kernel.questionRoom = new QuestionRoom(kernel.limits, environment.now)
  // A memory store dies with the process, so a key that does too is no loss.
  const ownKey: VaultKey[] = store.shared ? [] : [{ id: 'process', key: environment.randomBytes(32) }]
  kernel.vault = new SecretVault(environment, cipher ?? settings.vaultKeys ?? ownKey)
  kernel.calls = new RunningCalls(kernel)
  kernel.ownershipWatch = new OwnershipWatch(kernel)
  kernel.tools = new ToolRegistry(kernel)
  kernel.heartbeat = new Heartbeat(kernel)
  kernel.outbox = new Outbox(kernel)
  kernel.presence = new Presence(kernel)
  kernel.waiters = new Waiters(kernel)
  kernel.providerChanges = new ProviderChanges(kernel)
  kernel.providerChanges.follow()
  kernel.requestTick = new RequestTick(kernel)
  scheduler.add('questions', () => enforceDeadlines(kernel))
  scheduler.add('retention', () => retain(kernel))
  scheduler.add('takeover', async () => {
    await recover(kernel)
    return settings.leaseMs
  })
  return kernel
}
