import { enforceDeadlines } from '../ending/expire.ts'
import type { ToolKernel } from '../tools/tool-kernel.ts'
import { recover } from './recover.ts'

const EVERY_MS = 5_000

/** Does all due work in every session: deadlines, unclaimed answers, calls of dead processes, deliveries. */
export async function tick(kernel: ToolKernel): Promise<void> {
  await kernel.ready()
  await enforceDeadlines(kernel)
  await recover(kernel)
  // A function that ends must not freeze work that it began. In other modes a tool may wait for a person.
  if (kernel.settings.waiting === 'suspend') await kernel.tools.settled()
  await kernel.outbox.drain()
}

/**
 * Where processes are frozen between requests no timer runs. So requests do the pending work of others, occasionally
 * and without delaying a response.
 */
export class RequestTick {
  private readonly kernel: ToolKernel
  private last = Number.NEGATIVE_INFINITY

  constructor(kernel: ToolKernel) {
    this.kernel = kernel
  }

  /** Called with every request. */
  soon(): void {
    const { kernel } = this
    if (kernel.settings.waiting !== 'suspend') return
    const now = kernel.environment.now()
    if (now - this.last < EVERY_MS) return
    this.last = now
    kernel.background('doing what was left undone', tick(kernel))
  }
}
