import type { InboxPage } from '@holdpoint/core/internal'
import type { Principal } from '../../base/principal.ts'
import { taggedPages } from '../../store/every-page.ts'
import { tenantOf } from '../access/authorize.ts'
import type { DeliveryKernel } from '../delivery/delivery-kernel.ts'
import { namedTag, sessionsTag } from '../records/keys.ts'
import { INBOX_PAGE, withinBytes } from '../session/snapshot.ts'
import { audienceOf } from '../state/question.ts'
import { inboxItems } from './inbox-page.ts'
import { SettledMerge, type Source } from './settled-merge.ts'

/** Rows that are read of each session at first: most sessions contribute none or few to a page. */
const FIRST = 4
/** Sessions that are read at once. */
const AT_ONCE = 16
/** How often one page reads a session further. Only sessions of other users need so many reads. */
const READS = 40

/** Returns whether a text can be the cursor of a page: an interaction id, or its part that names the time. */
export const isSettledCursor = (text: string): boolean => /^q[0-9a-z]{9}([\w-]{22})?$/.test(text)

/**
 * Returns the settled questions of this user in all sessions, newest first by the time at which they were asked. Settled
 * questions have no list of their own, because a list would cost each question a row; the sessions of the user have one,
 * and the newest questions of each are merged. Questions of other users' sessions are included if the user is in their
 * audience and may read them.
 */
export async function settledPage(
  kernel: DeliveryKernel,
  principal: Principal,
  { after, limit = INBOX_PAGE }: { after?: string; limit?: number },
): Promise<InboxPage> {
  await kernel.ready()
  const merge = new SettledMerge(Math.min(limit, INBOX_PAGE))
  const read = async (source: Source, from: string | undefined, count: number) => {
    const found = await kernel.store.list(source.partition, 'ended', {
      limit: count,
      ...(from !== undefined && { after: from }),
    })
    const rows = source.own ? found : found.filter((row) => isFor(kernel, principal, row))
    merge.add(source, rows, found.length < count ? undefined : found.at(-1)!.id)
  }
  for await (const sources of sourcesOf(kernel, principal))
    await Promise.all(sources.map((source) => read(source, after, FIRST)))
  const isStuck = () => after !== undefined && (merge.page().next ?? '~') <= after
  for (let reads = 0; reads < READS || isStuck(); reads++) {
    const behind = merge.blocking()
    if (!behind) break
    await read(behind.source, behind.lastId, INBOX_PAGE)
  }
  return await toPage(kernel, principal, merge.page())
}

async function toPage(
  kernel: DeliveryKernel,
  principal: Principal,
  page: ReturnType<SettledMerge['page']>,
): Promise<InboxPage> {
  const rows = page.rows.slice(0, withinBytes(page.rows))
  const next = rows.length < page.rows.length ? rows.at(-1)!.id : page.next
  const found = kernel.rows.all('ended', rows)
  const items = await inboxItems(kernel, principal, found)
  return {
    items: items.filter(({ you }) => you.can.includes('read')),
    ...(next !== undefined && { next }),
    ...(found.length < rows.length && { incomplete: true }),
  }
}

/** The sessions of the user, then those that name the user, a few at a time. */
async function* sourcesOf(kernel: DeliveryKernel, principal: Principal): AsyncGenerator<Source[]> {
  const tenant = tenantOf(principal)
  const lists = [{ tag: sessionsTag(tenant, principal.userId), own: true }]
  // Without the host's rule an audience may answer, and may not read.
  if (kernel.settings.authorize) lists.push({ tag: namedTag(tenant, principal.userId), own: false })
  for (const { tag, own } of lists)
    for await (const { rows } of taggedPages(kernel.store, tag, AT_ONCE))
      yield rows.map(({ partition }) => ({ partition, own }))
}

function isFor(kernel: DeliveryKernel, { userId }: Principal, row: Parameters<typeof kernel.rows.read>[1]): boolean {
  const question = kernel.rows.read('ended', row)
  return question !== null && audienceOf(question).includes(userId)
}
