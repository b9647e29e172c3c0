import type { Json } from '../base/canonical-json.ts'
import type { Environment } from '../base/environment.ts'

const MOST = 1_000

/**
 * Keeps references of messages whose provider responded after the call had timed out. The next attempt finds them here.
 */
export class LateReferences {
  private readonly references = new Map<string, Json>()

  keep(deliveryId: string, reference: Json | null): void {
    if (reference === null) return
    this.references.set(deliveryId, reference)
    const [oldest] = this.references.keys()
    if (this.references.size > MOST && oldest !== undefined) this.references.delete(oldest)
  }

  take(deliveryId: string): Json | null {
    const reference = this.references.get(deliveryId) ?? null
    this.references.delete(deliveryId)
    return reference
  }
}

/**
 * Resolves with the result of `work`, or rejects after `ms`. Without this limit, a call that never settles would occupy
 * its slot for minutes. `after` receives a result that arrives later.
 */
export async function withinTime<T>(
  { environment, ms, name, after }: { environment: Environment; ms: number; name: string; after(result: T): void },
  work: Promise<T>,
): Promise<T> {
  let timer: unknown
  const late = new Promise<never>((_resolve, reject) => {
    timer = environment.setTimeout(
      () => {
        work.then(after, () => {})
        reject(new Error(`The surface "${name}" did not answer within ${ms} ms.`))
      },
      ms,
      true,
    )
  })
  try {
    return await Promise.race([work, late])
  } finally {
    environment.clearTimeout(timer)
  }
}
