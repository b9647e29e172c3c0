import { limits } from '@holdpoint/core/protocol'
import { systemEnvironment } from '../base/environment.ts'
import { Alarm } from '../base/scheduler.ts'
import { Serial } from '../base/serial-queue.ts'
import { environmentName } from '../development.ts'
import type { Store } from '../store/port.ts'
import type { HoldpointOptions } from '../types.ts'
import { AccountFeed } from './accounts/provider-changes.ts'
import { Vault, type VaultKey } from './answering/secret-vault.ts'
import { defaultLogger, errorFacts } from './api/lifecycle-event.ts'
import { Calls } from './calls/claim-call.ts'
import { Nodes } from './calls/heartbeat.ts'
import { CallWatch } from './calls/ownership-watch.ts'
import { Outbox } from './delivery/outbox.ts'
import { meetDeadlines } from './ending/expire.ts'
import { Counters } from './kernel/counters.ts'
import type { Core, Settings } from './kernel/kernel.ts'
import { randomId } from './records/keys.ts'
import { ReadableRows } from './records/readable-rows.ts'
import { transact } from './records/transact.ts'
import { Tools } from './tools/tool-registry.ts'
import { recover } from './upkeep/recover.ts'
import { KEEP_MS, retain } from './upkeep/retention.ts'
import { CatchUp } from './upkeep/tick.ts'
import { Presence } from './waiting/presence.ts'
import { Waiters } from './waiting/waiters.ts'

/** Not at once: a process that starts has better things to do. */
const RETENTION_MS = 10 * 60_000

/** Options with their defaults. The object stays; a hot reload writes new options into it. */
export function settingsOf(options: HoldpointOptions): Settings {
  return {
    waiting: 'inline',
    presenceGraceMs: 15_000,
    presenceMs: 60_000,
    leaseMs: 15_000,
    orphanAfterMs: 60_000,
    ...options,
  }
}

/** Puts the rooms of the engine together. */
export function createCore(store: Store, settings: Settings): Core {
  const environment = { ...systemEnvironment(), ...settings.environment }
  const fallback = defaultLogger(environmentName())
  const log = () => settings.logger ?? fallback
  // Serverless functions are frozen between requests: only a tool at work may tick there.
  const alarmed = settings.waiting === 'suspend' ? new Set(['heartbeat']) : undefined
  const alarm = new Alarm(environment, alarmed, (job, error) =>
    log().warn(`${job} failed and will be tried again`, errorFacts(error)),
  )
  const writing = {
    store,
    environment,
    keepMs: settings.retention?.endedMs ?? KEEP_MS,
    onCommit(partition: string) {
      if (settings.retention?.events !== undefined) core.touched.add(partition)
    },
  }
  let opened: Promise<void> | undefined

  const core = {
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
    transact: (partition, work, known) => transact(writing, partition, work, known),
    touched: new Set(),
    counters: new Counters(),
    emit(event) {
      core.counters.count(event)
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
    serial: new Serial(),
    alarm,
  } as { -readonly [K in keyof Core]: Core[K] }

  const open = async () => {
    await store.open()
    alarm.within('questions', 0)
    alarm.within('deliveries', 0)
    alarm.within('takeover', settings.leaseMs)
    alarm.within('retention', RETENTION_MS)
    core.background('looking for deliveries that waited for a hook', core.outbox.unpark())
  }
  // A memory store dies with the process, so a key that does too is no loss.
  const ownKey: VaultKey[] = store.shared ? [] : [{ id: 'process', key: environment.randomBytes(32) }]
  core.vault = new Vault(environment, settings.vaultKeys ?? ownKey)
  core.calls = new Calls(core)
  core.callWatch = new CallWatch(core)
  core.tools = new Tools(core)
  core.nodes = new Nodes(core)
  core.outbox = new Outbox(core)
  core.presence = new Presence(core)
  core.waiters = new Waiters(core)
  core.accountFeed = new AccountFeed(core)
  core.accountFeed.follow()
  core.catchUp = new CatchUp(core)
  alarm.add('questions', () => meetDeadlines(core))
  alarm.add('retention', () => retain(core))
  alarm.add('takeover', async () => {
    await recover(core)
    return settings.leaseMs
  })
  return core
}
