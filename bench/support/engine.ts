import type { Holdpoint } from '@holdpoint/server'
import type { Store } from '@holdpoint/server/store'

/** The part of the engine that benches call without the layers around it. */
interface Engine {
  readonly store: Store
  access(principal: { userId: string }, sessionId: string, action: 'read'): Promise<object | null>
  partition(session: object): string
  answer(
    principal: { userId: string; name?: string },
    sessionId: string,
    message: object,
  ): Promise<{ status: number; body: unknown }>
}

/** The engine behind a Holdpoint. No public name leads there, because apps need none. */
export function engineOf(holdpoint: Holdpoint): Engine {
  const { engine } = (holdpoint.fetch as unknown as Record<symbol, { engine: Engine }>)[Symbol.for('holdpoint.app')]!
  return engine
}
