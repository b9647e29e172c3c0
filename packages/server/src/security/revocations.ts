import type { Store } from '../store/port.ts'
import { hashOf } from './hashes.ts'

/** A user of one tenant or, without `tenant`, of all tenants. */
export interface UserRef {
  userId: string
  tenant?: string
}

/** The partition whose log transports revocations from one node to the others. */
const PARTITION = 'revocations'
/** The number of revocations that are kept. Nodes read them within seconds. */
const KEPT = 1_000

interface Revocation {
  node: string
  /** The hash of the user id, so that the id of an erased user does not stay here. */
  user: string
  tenant?: string
}

/** Stores a revocation of a user's streams, for the other nodes. */
export async function publishRevocation(store: Store, node: string, { userId, tenant }: UserRef): Promise<void> {
  const revocation: Revocation = { node, user: await hashOf(userId), ...(tenant !== undefined && { tenant }) }
  const done = await store.commit({ partition: PARTITION, events: [JSON.stringify(revocation)] })
  if (done.ok && done.lastSeq % 100 === 0) await store.trim(PARTITION, done.lastSeq - KEPT)
}

/** The dependencies with which a node applies the revocations of other nodes. */
export interface RevocationLogOptions {
  store: Store
  /** The id of this node, whose own revocations are already applied. */
  node: string
  /** Returns the users with an open stream in this process. */
  users(): Iterable<UserRef>
  revoke(who: UserRef): void
  onProblem(error: unknown): void
}

/** Applies the revocations of other nodes while this node has streams. */
export class RevocationLog {
  readonly #options: RevocationLogOptions
  #next = 0
  #again = false
  #reading: Promise<void> | undefined

  constructor(options: RevocationLogOptions) {
    this.#options = options
  }

  /** Returns whether a partition is the one with the revocations. */
  is(partition: string): boolean {
    return partition === PARTITION
  }

  /** Starts at the current end of the log, because earlier revocations do not concern streams that open now. */
  begin(): void {
    if (!this.#options.store.shared) return
    this.#next = 0
    this.wake()
  }

  /** Reads the log, because another node may have revoked streams. */
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
