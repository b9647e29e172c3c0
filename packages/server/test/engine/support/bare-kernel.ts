import type { HoldpointOptions, LifecycleEvent } from '@holdpoint/server'
import { memoryStore } from '@holdpoint/server/memory'
import { testClock } from '@holdpoint/server/testing'
import { onTestFinished } from 'vitest'
import type { Environment } from '../../../src/base/environment.ts'
import { assembleEngine } from '../../../src/engine/assemble.ts'
import { type CallIdentity, Execution } from '../../../src/engine/calls/execution.ts'
import type { Kernel } from '../../../src/engine/kernel/kernel.ts'
import { callId, sessionPartition } from '../../../src/engine/records/keys.ts'
import { putQuestion, readQuestion } from '../../../src/engine/records/question-records.ts'
import { decodeRow } from '../../../src/engine/records/row-codec.ts'
import type { Kind, QuestionRow, RowTypes } from '../../../src/engine/state/rows.ts'
import { settingsOf } from '../../../src/settings-of.ts'
import { questionRow } from './question-row.ts'

export const IDENTITY: CallIdentity = {
  tenant: '',
  sessionId: 'chat',
  userId: 'ada',
  runId: 'run-1',
  toolCallId: 'call-1',
  toolName: 'delete_files',
}

type TimersOfProcess = Pick<Environment, 'now' | 'setTimeout' | 'clearTimeout' | 'keepFor'>

/** The folders of the engine without a Holdpoint around them, to test single functions in isolation. */
export function bareKernel(options: HoldpointOptions = {}) {
  const clock = testClock()
  const store = memoryStore({ now: clock.now })
  let areHintsLost = false
  const { subscribe } = store
  store.subscribe = (listener) =>
    subscribe((...commit) => {
      if (!areHintsLost) listener(...commit)
    })
  const reported: LifecycleEvent[] = []
  const logged: [level: string, message: string, facts?: unknown][] = []
  const telling = (level: string) => (message: string, facts?: unknown) => void logged.push([level, message, facts])
  /** Timers that keep the process alive, by their handles. */
  const keeping = new Set<unknown>()
  const environment: TimersOfProcess = {
    ...clock.environment,
    setTimeout(callback, ms, keepsProcessAlive) {
      const handle = clock.environment.setTimeout(
        () => {
          keeping.delete(handle)
          callback()
        },
        ms,
        keepsProcessAlive,
      )
      if (keepsProcessAlive) keeping.add(handle)
      return handle
    },
    clearTimeout(handle) {
      keeping.delete(handle)
      clock.environment.clearTimeout(handle)
    },
    keepFor(handle, keepsProcessAlive) {
      keeping[keepsProcessAlive ? 'add' : 'delete'](handle)
      return true
    },
  }
  const kernel = assembleEngine(
    store,
    settingsOf({
      environment,
      logger: { debug: telling('debug'), info: telling('info'), warn: telling('warn'), error: telling('error') },
      ...options,
      hooks: { onEvent: (event) => void reported.push(event), ...options.hooks },
    }),
  )
  const partition = sessionPartition(IDENTITY.tenant, IDENTITY.sessionId)
  onTestFinished(async () => {
    kernel.scheduler.stop()
    await store.close()
  })
  return {
    clock,
    store,
    kernel,
    partition,
    reported,
    logged,
    /** Whether a timer keeps this process alive. */
    isKeptAlive: () => keeping.size > 0,
    /** Writes of another process on the same store, of which this process receives no notification. */
    async unnoticed(work: (node: Kernel) => Promise<unknown>) {
      areHintsLost = true
      await work(assembleEngine(store, settingsOf({ environment: clock.environment })))
      await clock.settle()
      areHintsLost = false
    },
    async row<K extends Kind>(kind: K, id: string, within = partition): Promise<RowTypes[K] | null> {
      const { rows } = await store.load([{ partition: within, kind, id }])
      return rows[0] ? (decodeRow(kind, rows[0].data) as RowTypes[K]) : null
    },
    put: <K extends Kind>(kind: K, id: string, row: RowTypes[K], within = partition) =>
      kernel.transact(within, async (tx) => {
        await tx.read([kind, id])
        tx.put(kind, id, row)
      }),
    drop: (kind: Kind, id: string) =>
      kernel.transact(partition, async (tx) => {
        await tx.read([kind, id])
        tx.delete(kind, id)
      }),
    /** A question of the call that `execution` makes, as if it had been asked just now. */
    async ask(changes: Partial<QuestionRow> = {}, node: Kernel = kernel): Promise<QuestionRow> {
      const askedAt = clock.now()
      const call = callId(IDENTITY.runId, IDENTITY.toolCallId)
      const row = questionRow({ ...IDENTITY, call, askedAt, expiresAt: askedAt + 60_000, ...changes })
      await node.transact(sessionPartition(row.tenant, row.sessionId), async (tx) => {
        await readQuestion(tx, row.id)
        putQuestion(tx, row)
      })
      return row
    },
    /** The events of the session's log, oldest first. */
    async log() {
      const { events } = await store.readLog(partition, { from: 1, limit: 1_000 })
      return events.map(({ json }) => JSON.parse(json) as { type: string; [field: string]: unknown })
    },
    execution: (
      changes: Partial<CallIdentity> = {},
      options: Partial<ConstructorParameters<typeof Execution>[1]> = {},
    ) => new Execution({ ...IDENTITY, ...changes }, { registered: false, waiter: 'inline', ...options }),
  }
}
