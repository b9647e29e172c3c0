import { nextTurn } from '../../base/clock.ts'
import type { Principal } from '../../base/principal.ts'
import { taggedPages } from '../../store/every-page.ts'
import type { Row } from '../../store/port.ts'
import { tenantOf } from '../access/authorize.ts'
import type { DeliveryKernel } from '../delivery/delivery-kernel.ts'
import { namedTag, SESSION_ROW, sessionsTag } from '../records/keys.ts'
import type { Source } from './settled-merge.ts'

/** Rows of a list that are read at once. Rows of sessions are small. */
const PAGE = 500

/** The sessions that one page merges. */
export interface SessionGroup {
  sources: readonly Source[]
  /** When the newest of them was created. */
  from: number
  /** When the newest session of the next group was created, or a moment before; undefined if there is none. */
  next: number | undefined
}

interface Candidate extends Source {
  createdAt: number
}

/**
 * Returns the sessions whose settled questions this user may find: a group of those that were created last, not after
 * `from`. Sessions of one millisecond are not divided. The rows of all sessions are read, which is cheap compared with
 * reading their questions; only those of the group are kept.
 */
export async function sessionGroup(
  kernel: DeliveryKernel,
  principal: Principal,
  { from, size }: { from: number; size: number },
): Promise<SessionGroup> {
  let kept: Candidate[] = []
  let older: number | undefined
  const cut = () => {
    kept.sort((one, other) => other.createdAt - one.createdAt)
    const last = kept[size - 1]?.createdAt
    if (last === undefined) return
    const rest = kept.findIndex(({ createdAt }) => createdAt < last)
    if (rest < 0) return
    older = Math.max(older ?? 0, kept[rest]?.createdAt ?? 0)
    kept = kept.slice(0, rest)
  }
  for await (const candidates of candidatesOf(kernel, principal)) {
    kept.push(...candidates.filter(({ createdAt }) => createdAt <= from))
    if (kept.length > 2 * size) cut()
    await nextTurn()
  }
  cut()
  return { sources: kept, from: kept[0]?.createdAt ?? 0, next: older }
}

/** The sessions of the user, then those that name the user, page by page. */
async function* candidatesOf(kernel: DeliveryKernel, principal: Principal): AsyncGenerator<Candidate[]> {
  const { store, settings } = kernel
  const tenant = tenantOf(principal)
  for await (const { rows } of taggedPages(store, sessionsTag(tenant, principal.userId), PAGE)) {
    yield rows.map((row) => candidateOf(kernel, row, true))
  }
  // Without the host's rule an audience may answer, and may not read.
  if (!settings.authorize) return
  for await (const { rows: named } of taggedPages(store, namedTag(tenant, principal.userId), PAGE)) {
    const refs = named.map(({ partition }) => ({ partition, kind: 'session', id: SESSION_ROW }))
    const { rows } = await store.load(refs)
    yield rows.flatMap((row) => (row ? [candidateOf(kernel, row, false)] : []))
  }
}

/** A row that this release cannot read belongs to the oldest group. */
const candidateOf = (kernel: DeliveryKernel, row: Row, own: boolean): Candidate => ({
  partition: row.partition,
  own,
  createdAt: kernel.rows.read('session', row)?.createdAt ?? 0,
})
