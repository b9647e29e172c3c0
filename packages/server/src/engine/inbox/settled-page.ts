import type { InboxPage } from '@holdpoint/core/internal'
import { nextTurn } from '../../base/clock.ts'
import type { Principal } from '../../base/principal.ts'
import type { DeliveryKernel } from '../delivery/delivery-kernel.ts'
import { INBOX_PAGE, withinBytes } from '../session/snapshot.ts'
import { audienceOf } from '../state/question.ts'
import { inboxItems } from './inbox-page.ts'
import { type SessionGroup, sessionGroup } from './session-group.ts'
import { SettledMerge, type Source } from './settled-merge.ts'

/** Rows that are read of each session at first: most sessions contribute none or few to a page. */
const FIRST = 4
/** Sessions that are read at once. */
const AT_ONCE = 16
/** How often one page reads a session further. Only sessions of other users need so many reads. */
const READS = 40
/** How many sessions a page reads. */
const SESSIONS = 500

const CURSOR = /^(q[0-9a-z]{9}(?:[\w-]{22})?)?~([0-9a-z]{1,10})$/

/** Returns whether a text can be the cursor of a page. */
export const isSettledCursor = (text: string): boolean => CURSOR.test(text)

/**
 * Returns the settled questions of this user in all sessions, newest first by the time at which they were asked. Settled
 * questions have no list of their own, because a list would cost each question a row; the sessions of the user have one,
 * and the newest questions of each are merged. Questions of other users' sessions are included if the user is in their
 * audience and may read them.
 *
 * A page merges a bounded number of sessions. The pages of a user with more of them list one group of sessions after the
 * other, those that were created last first. The cursor names the last question of the page (or its time), and the time
 * at which the newest session of the group was created.
 */
export async function settledPage(
  kernel: DeliveryKernel,
  principal: Principal,
  {
    after: cursor = '',
    limit = INBOX_PAGE,
    sessions = SESSIONS,
  }: { after?: string; limit?: number; sessions?: number },
): Promise<InboxPage> {
  await kernel.ready()
  const [, after, from] = CURSOR.exec(cursor) ?? []
  const until = from === undefined ? Number.POSITIVE_INFINITY : Number.parseInt(from, 36)
  const group = await sessionGroup(kernel, principal, { from: until, size: sessions })
  const merge = new SettledMerge(Math.min(limit, INBOX_PAGE))
  const read = async (source: Source, start: string | undefined, count: number) => {
    const found = await kernel.store.list(source.partition, 'ended', {
      limit: count,
      ...(start !== undefined && { after: start }),
    })
    const rows = source.own ? found : found.filter((row) => isFor(kernel, principal, row))
    merge.add(source, rows, found.length < count ? undefined : found.at(-1)!.id)
  }
  for (let first = 0; first < group.sources.length; first += AT_ONCE) {
    await Promise.all(group.sources.slice(first, first + AT_ONCE).map((source) => read(source, after, FIRST)))
    await nextTurn()
  }
  const isStuck = () => after !== undefined && (merge.page().next ?? '~') <= after
  for (let reads = 0; reads < READS || isStuck(); reads++) {
    const behind = merge.blocking()
    if (!behind) break
    await read(behind.source, behind.lastId, INBOX_PAGE)
    await nextTurn()
  }
  return await toPage(kernel, principal, merge.page(), group)
}

async function toPage(
  kernel: DeliveryKernel,
  principal: Principal,
  page: ReturnType<SettledMerge['page']>,
  { from, next: older }: SessionGroup,
): Promise<InboxPage> {
  const rows = page.rows.slice(0, withinBytes(page.rows))
  const last = rows.length < page.rows.length ? rows.at(-1)!.id : page.next
  const group = last === undefined ? older : from
  const next = group === undefined ? undefined : `${last ?? ''}~${group.toString(36)}`
  const found = kernel.rows.all('ended', rows)
  const items = await inboxItems(kernel, principal, found)
  return {
    items: items.filter(({ you }) => you.can.includes('read')),
    ...(next !== undefined && { next }),
    ...(found.length < rows.length && { incomplete: true }),
  }
}

function isFor(kernel: DeliveryKernel, { userId }: Principal, row: Parameters<typeof kernel.rows.read>[1]): boolean {
  const question = kernel.rows.read('ended', row)
  return question !== null && audienceOf(question).includes(userId)
}
