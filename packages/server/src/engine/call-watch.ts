import { decodeRow } from './codec.ts'
import type { Core } from './core.ts'
import { isCancelled } from './decide/run.ts'
import type { Execution } from './execution.ts'
import { errorFacts } from './observe.ts'
import type { CallRow, RunRow } from './rows.ts'

/**
 * Tells code that is at work here what happened to its call elsewhere: the run was cancelled, or another process took
 * the call over. Its next write would be refused anyway; the signal lets it stop earlier.
 */
export class CallWatch {
  private readonly core: Core
  private readonly looking = new Map<string, 'once' | 'again'>()

  constructor(core: Core) {
    this.core = core
  }

  check(partition: string): void {
    if (this.looking.has(partition)) {
      this.looking.set(partition, 'again')
      return
    }
    if (this.core.calls.in(partition).length > 0) void this.look(partition)
  }

  checkAll(): void {
    for (const partition of this.core.calls.partitions()) this.check(partition)
  }

  private async look(partition: string): Promise<void> {
    do {
      this.looking.set(partition, 'once')
      await this.compare(partition).catch((error) => {
        this.core.log.warn('running calls could not be looked up', errorFacts(error))
      })
    } while (this.looking.get(partition) === 'again')
    this.looking.delete(partition)
  }

  private async compare(partition: string): Promise<void> {
    const executions = this.core.calls.in(partition)
    const runIds = [...new Set(executions.map(({ identity }) => identity.runId))]
    // A waiter compares the fence of its own call.
    const busy = executions.filter((execution) => execution.waiting === 0 && execution.fence > 0)
    const { rows } = await this.core.store.load([
      ...runIds.map((id) => ({ partition, kind: 'idle', id })),
      ...busy.map(({ id }) => ({ partition, kind: 'call', id })),
    ])
    // A cancelled run is not among those that wait.
    const cancelled = new Map<string, RunRow>()
    runIds.forEach((runId, index) => {
      const stored = rows[index]
      const run = stored ? (decodeRow('idle', stored.data) as RunRow) : null
      if (run && isCancelled(run)) cancelled.set(runId, run)
    })
    for (const execution of executions) {
      const run = cancelled.get(execution.identity.runId)
      if (run) execution.cancel(run.reason)
    }
    for (const [index, execution] of busy.entries()) this.compareFence(execution, rows[runIds.length + index]?.data)
  }

  private compareFence(execution: Execution, data: string | undefined): void {
    const call = data === undefined ? null : (decodeRow('call', data) as CallRow)
    if (call?.fence !== execution.fence) execution.lose()
  }
}
