import { systemEnvironment } from '../../base/environment.ts'
import type { Engine } from '../../engine/api/engine.ts'
import { hashOf } from '../../security/hashes.ts'
import { changeRow, parse, type RowDeps } from '../../store/shared/change-row.ts'
import type { PushKeys } from './encrypt.ts'

/** One browser of one user. */
export interface Subscription {
  endpoint: string
  keys: PushKeys
  /** The languages of the browser, as in `Accept-Language`. */
  language?: string
  at: number
}

interface User {
  tenant: string
  userId: string
}

const KIND = 'push'
/** The maximum number of subscriptions of a user. The oldest one is dropped. */
const MOST = 20

/** Reads and writes the subscriptions of users. They are in the user's partition, so that `eraseUser` removes them. */
export function pushSubscriptions({ store, userPartition }: Pick<Engine, 'store' | 'userPartition'>) {
  const deps: RowDeps = { store, environment: systemEnvironment() }
  const partitionOf = ({ tenant, userId }: User) => userPartition({ tenant, userId })
  const tagOf = (id: string) => `push/${id}`

  async function list(user: User): Promise<Subscription[]> {
    const rows = await store.list(partitionOf(user), KIND)
    return rows.map(({ data }) => parse<Subscription>(data)).sort((one, other) => other.at - one.at)
  }
  const drop = (partition: string, id: string) =>
    changeRow(deps, { partition, kind: KIND, id }, () => ({ remove: true, result: undefined }))

  return {
    list,
    /**
     * Adds a subscription. A browser belongs to the user who subscribed last, so that it does not show another user's
     * questions.
     */
    async add(user: User, subscription: Omit<Subscription, 'at'>): Promise<void> {
      const id = await hashOf(subscription.endpoint)
      const partition = partitionOf(user)
      await changeRow(deps, { partition, kind: KIND, id }, (_row, now) => {
        return { put: { ...subscription, at: now }, tags: [tagOf(id)], result: undefined }
      })
      const { rows } = await store.byTag(tagOf(id))
      for (const row of rows) if (row.partition !== partition) await drop(row.partition, row.id)
      for (const { endpoint } of (await list(user)).slice(MOST)) await drop(partition, await hashOf(endpoint))
    },
    remove: async (user: User, endpoint: string) => drop(partitionOf(user), await hashOf(endpoint)),
  }
}

export type Subscriptions = ReturnType<typeof pushSubscriptions>
