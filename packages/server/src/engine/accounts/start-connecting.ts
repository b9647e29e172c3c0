import type { AuthNeededEvent, SubmitAuthResultMessage } from '@holdpoint/core/internal'
import { errorFacts } from '../../base/logger.ts'
import type { Principal } from '../../base/principal.ts'
import { taggedPages } from '../../store/every-page.ts'
import { may, refusal, tenantOf } from '../access/authorize.ts'
import { settleIn } from '../answering/settle.ts'
import type { StartOptions } from '../api/account-provider.ts'
import type { Engine, Reply } from '../api/engine.ts'
import { accountTag, randomId, SESSION_ROW, sessionPartition, userPartition } from '../records/keys.ts'
import { putQuestion, readQuestion } from '../records/question-records.ts'
import { envelope } from '../state/question-events.ts'
import type { QuestionRow } from '../state/rows.ts'
import type { WaitingKernel } from '../waiting/waiting-kernel.ts'
import { accountProvider, CONNECT_TIMEOUT_MS } from './provider.ts'

/** The person's side of `connect`: starts flows, and detects that an account is connected. */

const PAGE = 50

/** An account changed: checks every question that waits for it, in any session. */
export async function accountChanged(kernel: WaitingKernel, principal: Principal, integration: string): Promise<void> {
  await kernel.ready()
  const tag = accountTag(tenantOf(principal), principal.userId, integration)
  for await (const { rows } of taggedPages(kernel.store, tag, PAGE)) {
    for (const row of rows) {
      const asked = kernel.rows.read('question', row)
      if (asked) await noticeConnection(kernel, principal, row.partition, asked, integration)
    }
  }
}

/** Only the provider's state counts, because the caller may be mistaken or lying. */
async function noticeConnection(
  kernel: WaitingKernel,
  principal: Principal,
  partition: string,
  asked: QuestionRow,
  integration: string,
): Promise<void> {
  const status = await accountProvider(kernel).status(principal, integration, asked.scopes?.[integration])
  if (status.state !== 'connected') return
  await kernel.transact(partition, async (tx) => {
    const row = await readQuestion(tx, asked.id)
    if (row?.status !== 'open' || tx.now >= row.expiresAt || row.request.type !== 'auth_needed') return
    if (row.connected?.includes(integration)) return
    const { integrations } = row.request
    const connected = [...(row.connected ?? []), integration]
    const remaining = integrations.filter((one) => !connected.includes(one))
    tx.event({ type: 'auth_progress', ...envelope(row, tx.now), connected: integration, remaining })
    const next = { ...row, connected }
    if (remaining.length > 0) return putQuestion(tx, next)
    settleIn(kernel, tx, next, {
      answerId: `connected:${row.id}`,
      digest: '',
      at: tx.now,
      by: { userId: principal.userId, clientId: 'accounts' },
      action: 'submit',
    })
  })
}

/** Begins to connect one account. Cards of several calls share one flow, with the scopes of all of them. */
export async function startConnecting(
  kernel: WaitingKernel,
  principal: Principal,
  sessionId: string,
  { interactionId, integration, ...back }: Parameters<Engine['connect']>[2],
): Promise<Reply> {
  await kernel.ready()
  const tenant = tenantOf(principal)
  const found = await kernel.transact(sessionPartition(tenant, sessionId), async (tx): Promise<Reply | QuestionRow> => {
    const [session] = await tx.read(['session', SESSION_ROW])
    // Regardless of the host's rule, only the owner of the account connects it.
    if (!session || session.userId !== principal.userId) return refusal('not_found')
    if (!(await may(kernel, principal, 'connect', session))) return refusal('forbidden')
    const row = await readQuestion(tx, interactionId)
    const isAsked = row?.request.type === 'auth_needed' && row.request.integrations.includes(integration)
    if (!row || !isAsked) return refusal('unknown_interaction')
    if (row.status === 'open' && tx.now < row.expiresAt) return row
    return refusal(
      row.status === 'cancelled' || row.status === 'superseded'
        ? row.status
        : row.answer
          ? 'already_answered'
          : 'expired',
    )
  })
  if ('body' in found) return found
  return await startFlow(kernel, principal, found, integration, back)
}

async function startFlow(
  kernel: WaitingKernel,
  principal: Principal,
  row: QuestionRow,
  integration: string,
  { returnTo, trustedOrigins }: Pick<StartOptions, 'returnTo' | 'trustedOrigins'>,
): Promise<Reply> {
  const { accounts } = kernel.settings
  if (!accounts) return refusal('not_configured')
  try {
    const status = await accounts.status(principal, integration)
    const granted = status.state === 'connected' || status.state === 'scopes' ? (status.scopes ?? []) : []
    const flow = await shareFlow(kernel, principal, integration, [...(row.scopes?.[integration] ?? []), ...granted])
    const started = await accounts.start(principal, integration, {
      flowId: flow.flowId,
      ...(flow.scopes.length > 0 && { scopes: flow.scopes }),
      ...(returnTo !== undefined && { returnTo, ...(trustedOrigins && { trustedOrigins }) }),
      generationId: (row.request as AuthNeededEvent).generationId,
    })
    return { status: 200, body: { flowId: flow.flowId, ...started } }
  } catch (error) {
    kernel.log.warn('an account could not be connected', { integration, ...errorFacts(error) })
    return refusal('accounts_unavailable')
  }
}

/** Returns the running flow for this account, or a new one. A request for wider scopes starts a new one. */
function shareFlow(kernel: WaitingKernel, principal: Principal, integration: string, wanted: readonly string[]) {
  return kernel.transact(userPartition(tenantOf(principal), principal.userId), async (tx) => {
    const [known] = await tx.read(['flow', integration])
    const live = known && known.until > tx.now ? known : null
    if (live && wanted.every((scope) => live.scopes.includes(scope))) return live
    const scopes = [...new Set([...(live?.scopes ?? []), ...wanted])]
    const until = tx.now + CONNECT_TIMEOUT_MS
    const flow = { flowId: randomId(kernel.environment), integration, scopes, until }
    tx.put('flow', integration, flow, { due: until })
    return flow
  })
}

/** A browser reports a return from a service. This only triggers a check. */
export async function hintOfConnection(
  kernel: WaitingKernel,
  principal: Principal,
  sessionId: string,
  { integration }: SubmitAuthResultMessage,
): Promise<Reply> {
  await kernel.ready()
  const partition = sessionPartition(tenantOf(principal), sessionId)
  const [session] = await kernel.transact(partition, (tx) => tx.read(['session', SESSION_ROW]))
  if (!session || session.userId !== principal.userId) return refusal('not_found')
  if (!(await may(kernel, principal, 'connect', session))) return refusal('forbidden')
  if (!kernel.settings.accounts) return refusal('not_configured')
  try {
    await accountChanged(kernel, principal, integration)
  } catch (error) {
    kernel.log.warn('an account could not be looked up', { integration, ...errorFacts(error) })
    return refusal('accounts_unavailable')
  }
  return { status: 200, body: { status: 'accepted' } }
}
