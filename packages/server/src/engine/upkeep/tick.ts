import { meetDeadlines } from '../ending/expire.ts'
import type { Core } from '../kernel/kernel.ts'
import { recover } from './recover.ts'

const EVERY_MS = 5_000

/** Does what is due, in whatever session: deadlines, answers that nobody acted on, calls of processes that are gone, deliveries. */
export async function doWhatIsDue(core: Core): Promise<void> {
  await core.ready()
  await meetDeadlines(core)
  await recover(core)
  // What began here must not be frozen with this request. Elsewhere a tool may wait with a person.
  if (core.settings.waiting === 'suspend') await core.tools.settled()
  await core.outbox.drain()
}

/**
 * Where processes are frozen between requests nothing ticks. So whoever is asked for something does what others had to
 * leave undone: now and then, and without making anybody wait.
 */
export class CatchUp {
  private readonly core: Core
  private last = Number.NEGATIVE_INFINITY

  constructor(core: Core) {
    this.core = core
  }

  /** Called with every request. */
  soon(): void {
    const { core } = this
    if (core.settings.waiting !== 'suspend') return
    const now = core.environment.now()
    if (now - this.last < EVERY_MS) return
    this.last = now
    core.background('doing what was left undone', doWhatIsDue(core))
  }
}
