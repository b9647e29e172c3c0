import { isHoldpointError } from '@holdpoint/core'
import { recordable } from '../../base/canonical-json.ts'
import { errorFacts } from '../../base/logger.ts'
import { InteractionRefused } from '../api/interaction-refused.ts'
import type { AnyTool } from '../api/tool.ts'
import { claimNow } from '../calls/claim-call.ts'
import type { Execution } from '../calls/execution.ts'
import { untilStored } from '../calls/until-stored.ts'
import { toolContext } from '../context/create-tool-context.ts'
import { callFacts } from '../kernel/report.ts'
import { isStoreAway } from '../kernel/retry-until-stored.ts'
import type { CallResult } from '../state/rows.ts'
import { finishCall } from './finish-call.ts'
import { isOwnedSince } from './owned-since.ts'
import { resumeNow } from './resume-call.ts'
import { suspendCall } from './suspend-call.ts'
import type { ToolKernel } from './tool-kernel.ts'

/** How one execution of a registered tool ended. */
export type Ran =
  | { type: 'finished'; result: CallResult; error?: unknown }
  | { type: 'suspended'; interactionIds: string[] }
  /** Another execution of the call continues in its place. */
  | { type: 'lost' }

/**
 * One execution of a registered tool. A caller that wants its result joins it; a caller that leaves does not stop it.
 */
export class ToolRunner {
  readonly settled: Promise<void>
  private readonly kernel: ToolKernel
  private readonly execution: Execution
  private readonly tool: AnyTool
  private readonly input: unknown
  private readonly ran: Promise<Ran>
  private end!: (ran: Ran | Promise<Ran>) => void
  private readonly stops: string[] = []
  private waited = 0
  private readonly startedAt: number
  private delivery: string | undefined

  constructor(kernel: ToolKernel, execution: Execution, tool: AnyTool, input: unknown) {
    this.kernel = kernel
    this.execution = execution
    this.tool = tool
    this.input = input
    this.startedAt = kernel.environment.now()
    this.ran = new Promise((resolve) => {
      this.end = resolve
    })
    this.settled = this.ran.then(
      () => {},
      () => {},
    )
  }

  start(): void {
    const { kernel } = this
    kernel.calls.register(this.execution)
    const { execution } = this
    const ran = execution.waiter === 'suspended' ? Promise.race([this.perform(), this.suspension()]) : this.perform()
    this.end(ran.finally(() => kernel.calls.unregister(execution)))
  }

  /** Waits for the end. The caller's signal ends its waiting, not the tool. */
  async join(signal: AbortSignal | undefined): Promise<Ran> {
    this.waited++
    try {
      const ran = await (signal ? orAborted(this.ran, signal) : this.ran)
      if (this.delivery !== undefined) this.kernel.outbox.acknowledge(this.execution.partition, this.delivery)
      return ran
    } finally {
      this.waited--
    }
  }

  private async perform(): Promise<Ran> {
    const { kernel, execution, tool } = this
    let result: CallResult
    let error: unknown
    try {
      const parsed = await tool.input.safeParseAsync(this.input)
      if (!parsed.success) throw new TypeError(`the stored input of ${tool.name} no longer fits its schema`)
      const context = toolContext({ kernel, execution: this.suspendable(), detachSignal: undefined })
      if (tool.before) {
        const before = await tool.before(parsed.data as never, context)
        if (!(await this.isClaimed())) return { type: 'lost' }
        Object.assign(context, { before })
      }
      const value = recordable(`The result of ${tool.name}`, await tool.execute(parsed.data as never, context as never))
      result = { status: 'completed', ...(value !== undefined && { result: value }) }
    } catch (thrown) {
      if (isHoldpointError(thrown, 'ownership_lost')) return { type: 'lost' }
      // Nothing of the call is stored, so its caller decides.
      if (execution.unbegun && isStoreAway(thrown)) throw thrown
      error = thrown
      result = failure(thrown)
      if (result.status === 'error') kernel.log.warn('a tool failed', { toolName: tool.name, ...errorFacts(thrown) })
    }
    await execution.progress?.drained()
    try {
      const finished = await untilStored(kernel, execution, () =>
        finishCall(kernel, execution, result, this.waited > 0),
      )
      this.delivery = finished.delivery
      if (this.waited === 0) kernel.outbox.runSoon()
      return {
        type: 'finished',
        result: finished.result,
        ...(finished.result === result && error !== undefined && { error }),
      }
    } catch (lost) {
      if (isHoldpointError(lost, 'ownership_lost')) return { type: 'lost' }
      throw lost
    }
  }

  /** Claims the call if nothing of it is stored yet. The code of the tool may run only under a valid claim. */
  private async isClaimed(): Promise<boolean> {
    const { kernel, execution } = this
    if (!execution.begin) return true
    if (execution.unbegun) await claimNow(kernel, execution)
    return await isOwnedSince(kernel, execution, this.startedAt)
  }

  private suspendable(): Execution {
    const { execution } = this
    if (execution.waiter === 'suspended') execution.onSuspend = (id) => this.stopAt(id)
    return execution
  }

  private stopAt(id: string): void {
    this.stops.push(id)
    if (this.stops.length === 1) this.stopped()
  }

  private stopped: () => void = () => {}

  /** Resolves once the tool stopped at a question, with all that it asked side by side. */
  private async suspension(): Promise<Ran> {
    await new Promise<void>((resolve) => {
      this.stopped = resolve
    })
    const { kernel, execution } = this
    // Questions that were put in the same breath are opened first.
    await new Promise<void>((resolve) => kernel.environment.setTimeout(resolve, 0, true))
    await execution.queue.idle()
    await execution.progress?.drained()
    const suspended = await suspendCall(kernel, execution, [...this.stops])
    if (suspended.type === 'again') {
      kernel.background(
        'a tool whose question was settled meanwhile',
        resumeNow(kernel, execution.partition, execution.id),
      )
      return { type: 'lost' }
    }
    kernel.emit({ type: 'call_suspended', ...callFacts(execution.identity, suspended.call, suspended.now) })
    return { type: 'suspended', interactionIds: [...this.stops] }
  }
}

/** Rejects with the signal's reason if it aborts first. */
async function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  let leave = () => {}
  const left = new Promise<never>((_resolve, reject) => {
    leave = () => reject(signal.reason)
    signal.addEventListener('abort', leave, { once: true })
  })
  return await Promise.race([work, left]).finally(() => signal.removeEventListener('abort', leave))
}

function failure(thrown: unknown): CallResult {
  if (thrown instanceof InteractionRefused) {
    const { outcome, reason } = thrown
    const output = outputOf(thrown)
    return {
      ...{ status: 'refused', outcome },
      ...(reason !== undefined && { reason }),
      ...(output !== undefined && { output }),
    }
  }
  const code = isHoldpointError(thrown) ? thrown.code : 'tool_failed'
  return { status: 'error', code, message: thrown instanceof Error ? thrown.message : String(thrown) }
}

/** If the output cannot be recorded, the refusal is recorded without it. */
function outputOf({ output }: InteractionRefused): unknown {
  try {
    return recordable('The output of a declined call', output)
  } catch {
    return undefined
  }
}
