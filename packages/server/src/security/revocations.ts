import type { Store } from '../store/port.ts'
import { hashOf } from './hashes.ts'

/** A user of one tenant; without `tenant`, of all tenants. */
export interface UserRef {
  userId: string
  tenant?: string
}

/** Whose log carries revocations from one node to the others. */
const PARTITION = 'revocations'
/** How many are kept: a node reads them within seconds. */
const KEPT = 1_000

interface Revocation {
  node: string
  /** A hash: an erased user's name must not stay here. */
  user: string
  tenant?: string
}

/** Writes down that a user's streams end now, for the other nodes. */
export async function publishRevocation(store: Store, node: string, { userId, tenant }: UserRef): Promise<void> {
  const revocation: Revocation = { node, user: await hashOf(userId), ...(tenant !== undefined && { tenant }) }
  const done = await store.commit({ partition: PARTITION, events: [JSON.stringify(revocation)] })
  if (done.ok && done.lastSeq % 100 === 0) await store.trim(PARTITION, done.lastSeq - KEPT)
}

/** The dependencies with which a node applies the revocations of other nodes. */
export interface RevocationLogOptions {
  store: Store
  /** This node: it has applied its own revocations already. */
  node: string
  /** Users with an open stream in this process. */
  users(): Iterable<UserRef>
  revoke(who: UserRef): void
  onProblem(error: unknown): void
}

/** Reads what other nodes revoke, while this one has streams. */
export class RevocationLog {
  readonly #options: RevocationLogOptions
  #next = 0
  #again = false
  #reading: Promise<void> | undefined

  constructor(options: RevocationLogOptions) {
    this.#options = options
  }

  /** Whether this is the log that a commit was announced of. */
  is(partition: string): boolean {
    return partition === PARTITION
  }

  /** The first stream of a user opens: earlier revocations do not concern it. */
  begin(): void {
    if (!this.#options.store.shared) return
    this.#next = 0
    this.wake()
  }

  /** Something may have been revoked elsewhere. */
  wake(): void {
    if (!this.#options.store.shared) return
    this.#again = true
    this.#reading ??= this.#read().finally(() => {
      this.#reading = undefined
    })
  }

  async #read(): Promise<void> {
    try {
      while (this.#again) {
        this.#again = false
        await this.#apply()
      }
    } catch (error) {
      this.#options.onProblem(error)
    }
  }

  async #apply(): Promise<void> {
    const { store, node } = this.#options
    if (this.#next === 0) {
      const { head } = await store.snapshot(PARTITION, [])
      this.#next = (head?.seq ?? 0) + 1
      return
    }
    const page = await store.readLog(PARTITION, { from: this.#next, limit: KEPT })
    this.#next = page.head + 1
    for (const { json } of page.events) {
      const revocation = JSON.parse(json) as Revocation
      if (revocation.node !== node) await this.#revoke(revocation)
    }
  }

  async #revoke({ user, tenant }: Revocation): Promise<void> {
    for (const userId of new Set([...this.#options.users()].map((one) => one.userId))) {
      if ((await hashOf(userId)) === user) this.#options.revoke({ userId, ...(tenant !== undefined && { tenant }) })
    }
  }
}
