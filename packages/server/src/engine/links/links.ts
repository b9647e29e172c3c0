import { HoldpointError } from '@holdpoint/core'
import { assertIds, assertUser } from '../../base/assert-ids.ts'
import { hashOf, randomToken } from '../../security/hashes.ts'
import { listedPages } from '../../store/every-page.ts'
import type { Kernel } from '../kernel/kernel.ts'
import { linkTag, sessionPartition } from '../records/keys.ts'
import { findQuestion } from '../session/list-interactions.ts'
import { audienceOf, isPending } from '../state/question.ts'
import type { AnswerLink, AnswerLinkOptions, OpenedLink } from './link-options.ts'

const DAY_MS = 24 * 60 * 60_000

/** Creates a link for one user and one pending interaction. The store keeps only a hash of its token. */
export async function createLink(kernel: Kernel, options: AnswerLinkOptions): Promise<AnswerLink> {
  const { interactionId, sessionId, tenant = '', userId, name, expiresInMs = DAY_MS } = options
  assertIds('links.create', { interactionId })
  assertUser('links.create', { userId, tenant })
  if (!(expiresInMs > 0)) throw cannotLink('"expiresInMs" must be a positive number of milliseconds')
  const question = await findQuestion(kernel, { tenant, sessionId, interactionId })
  if (!question || !isPending(question)) throw cannotLink('the interaction does not exist, or it is settled')
  if (question.userId !== userId && !audienceOf(question).includes(userId)) {
    throw cannotLink('"userId" is neither the owner of the session nor in the audience of the interaction')
  }
  const token = randomToken((length) => kernel.environment.randomBytes(length))
  const hash = await hashOf(token)
  const expiresAt = await kernel.transact(sessionPartition(tenant, question.sessionId), async (tx) => {
    await tx.read(['link', hash])
    const until = tx.now + expiresInMs
    const row = {
      tenant,
      sessionId: question.sessionId,
      interactionId,
      userId,
      until,
      ...(name !== undefined && { name }),
    }
    tx.put('link', hash, row, { due: until, tags: [linkTag(hash)] })
    return until
  })
  return { token, expiresAt: new Date(expiresAt) }
}

/** Returns the session, interaction and user of a link; null if it is unknown, expired or revoked. */
export async function openLink(kernel: Kernel, token: string): Promise<OpenedLink | null> {
  await kernel.ready()
  const hash = await hashOf(token)
  const { rows } = await kernel.store.byTag(linkTag(hash), { limit: 1 })
  const [found] = rows
  if (!found) return null
  const row = await kernel.transact(found.partition, async (tx) => {
    const [link] = await tx.read(['link', hash])
    return link && link.until > tx.now ? link : null
  })
  if (!row) return null
  const { tenant, sessionId, interactionId, userId, name } = row
  const principal = { userId, ...(tenant !== '' && { tenant }), ...(name !== undefined && { name }) }
  return { principal, sessionId, interactionId }
}

/** Revokes the links of an interaction, of one user or of all. Returns how many there were. */
export async function revokeLinks(
  kernel: Kernel,
  {
    tenant = '',
    sessionId,
    interactionId,
    userId,
  }: Omit<AnswerLinkOptions, 'userId' | 'name' | 'expiresInMs'> & { userId?: string },
): Promise<number> {
  const question = await findQuestion(kernel, { tenant, sessionId, interactionId })
  if (!question) return 0
  const partition = sessionPartition(tenant, question.sessionId)
  const ids: string[] = []
  for await (const { rows } of listedPages(kernel.store, partition, 'link')) {
    for (const row of rows) {
      const link = kernel.rows.read('link', row)
      if (link?.interactionId === interactionId && (userId === undefined || link.userId === userId)) ids.push(row.id)
    }
  }
  if (ids.length > 0) {
    await kernel.transact(partition, async (tx) => {
      for (const id of ids) tx.delete('link', id)
    })
  }
  return ids.length
}

function cannotLink(why: string): HoldpointError {
  return new HoldpointError('invalid_request', `The link cannot be created: ${why}.`)
}
