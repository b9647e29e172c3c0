import { hashOf, sameText } from '../../security/hashes.ts'
import { accountRef, flowRef } from '../../security/keys.ts'
import type { TokenPair } from '../../security/session-tokens.ts'
import { changeRow, readRow } from '../../store/shared/change-row.ts'
import { type AccountRow, openAccount } from '../accounts/account-row.ts'
import { OAuthFailure } from '../oauth/oauth-failure.ts'
import type { OAuthProvider } from '../oauth/provider.ts'
import type { Broker } from '../shared/broker.ts'
import { boundToFlow, type FlowRow, readFlow } from '../shared/flow-row.ts'
import { endFlow, finishFlow, flowError } from './finish-flow.ts'
import { claimFlow, finishParked } from './return-from-service.ts'

export type PollResult =
  /**
   * The flow is unknown or expired, or the client did not start it. The response is the same, so that it reveals
   * nothing.
   */
  | { kind: 'unknown' }
  | { kind: 'pending' | 'slow_down'; intervalMs: number }
  | { kind: 'completed'; accountId: string; integration: string; pair?: TokenPair }
  | { kind: 'denied' | 'failed'; error: string }

/** Each poll that is too early makes the interval five seconds longer, permanently (RFC 8628). */
const SLOWER_MS = 5_000
const LENIENT_MS = 1_000
/** How long the result can be fetched again, because the first response may have been lost. */
const REPEAT_MS = 60_000

/**
 * Returns the result of a flow to the client that started it. `state` alone is not sufficient: the secret is required.
 */
export async function pollFlow(
  broker: Broker,
  state: string,
  secret: string | null,
  loopbackCode: string | null,
): Promise<PollResult> {
  const flow = await readFlow(broker, state)
  if (!flow?.row.poll || !secret || !sameText(await hashOf(secret), flow.row.poll)) return { kind: 'unknown' }
  const { hash } = flow
  const paced = isPending(flow.row) ? await pace(broker, hash) : { row: flow.row, soon: false, askDevice: false }
  if (!paced) return { kind: 'unknown' }
  if (paced.soon) return { kind: 'slow_down', intervalMs: paced.row.polling.intervalMs }

  const provider = broker.provider(paced.row.integration)
  if (!provider) return { kind: 'unknown' }
  if (paced.askDevice) await askDevice(broker, provider, hash, paced.row)
  if (await hasLoopbackCode(paced.row, loopbackCode)) await finishParked(broker, provider, hash, paced.row)
  return outcome(broker, hash, secret)
}

const isPending = ({ state }: FlowRow) => state === 'open' || state === 'exchanging' || state === 'authorized'

/** Records a poll. Returns whether it was too early, and whether this call may poll the service. */
function pace(broker: Broker, hash: string) {
  return changeRow<FlowRow, { row: FlowRow; soon: boolean; askDevice: boolean } | null>(
    broker,
    flowRef(hash),
    (row, now) => {
      if (!row) return { result: null }
      const { intervalMs, lastAt } = row.polling
      const soon = lastAt !== undefined && now - lastAt < intervalMs - LENIENT_MS
      const polling = { intervalMs: soon ? intervalMs + SLOWER_MS : intervalMs, lastAt: now }
      const { deviceFlow } = row
      const askDevice = !soon && row.state === 'open' && deviceFlow !== undefined && now >= deviceFlow.nextAt
      const next = {
        ...row,
        polling,
        ...(askDevice && deviceFlow && { deviceFlow: { ...deviceFlow, nextAt: now + deviceFlow.intervalMs } }),
      }
      return { put: next, due: row.until, result: { row: next, soon, askDevice } }
    },
  )
}

async function hasLoopbackCode(row: FlowRow, code: string | null): Promise<boolean> {
  if (row.state !== 'authorized' || !row.loopbackCode || !code) return false
  return sameText(await hashOf(code), row.loopbackCode)
}

/** Polls the service's token endpoint once. `pace` keeps the interval that the service requires. */
async function askDevice(broker: Broker, provider: OAuthProvider, hash: string, row: FlowRow): Promise<void> {
  if (!row.deviceFlow) return
  const deviceCode = broker.vault.open(row.deviceFlow.code, boundToFlow(hash))
  const tokens = await broker.oauth.pollDevice(provider, deviceCode).catch((error: unknown) => error)
  if (tokens instanceof OAuthFailure) {
    if (tokens.reason === 'authorization_pending' || tokens.reason === 'unreachable') return
    if (tokens.reason === 'slow_down') return slower(broker, hash)
  }
  const attempt = await claimFlow(broker, hash, 'open')
  if (!attempt) return
  try {
    if (tokens instanceof Error) throw tokens
    const finished = await finishFlow(
      broker,
      provider,
      row,
      tokens as Awaited<ReturnType<typeof broker.oauth.pollDevice>>,
    )
    await endFlow(broker, hash, attempt, { state: 'connected', finished })
  } catch (failure) {
    await endFlow(broker, hash, attempt, flowError(failure))
  }
}

function slower(broker: Broker, hash: string): Promise<void> {
  return changeRow<FlowRow, void>(broker, flowRef(hash), (row, now) => {
    if (!row?.deviceFlow) return { result: undefined }
    const intervalMs = row.deviceFlow.intervalMs + SLOWER_MS
    const put = {
      ...row,
      deviceFlow: { ...row.deviceFlow, intervalMs, nextAt: now + intervalMs },
      polling: { ...row.polling, intervalMs: row.polling.intervalMs + SLOWER_MS },
    }
    return { put, due: row.until, result: undefined }
  })
}

async function outcome(broker: Broker, hash: string, secret: string): Promise<PollResult> {
  const row = await changeRow<FlowRow, FlowRow | null>(broker, flowRef(hash), (current, now) => {
    if (current?.state !== 'connected') return { result: current }
    if (current.deliveredAt === undefined) {
      const put = { ...current, deliveredAt: now }
      return { put, due: current.until, result: put }
    }
    return { result: now - current.deliveredAt <= REPEAT_MS ? current : null }
  })
  if (!row) return { kind: 'unknown' }
  if (row.state === 'denied' || row.state === 'failed') return { kind: row.state, error: row.error ?? 'failed' }
  if (row.state !== 'connected' || !row.finished) return { kind: 'pending', intervalMs: row.polling.intervalMs }

  const { owner, account, signsIn } = row.finished
  const { row: stored } = await readRow<AccountRow>(broker.store, accountRef(owner, account))
  const accountId = stored ? (await openAccount(broker.vault, owner, stored)).profile.accountId : ''
  const done = { kind: 'completed', accountId, integration: row.integration } as const
  if (!signsIn || !row.session || !broker.tokens) return done
  const pair = await broker.tokens.issue(owner, row.session, await broker.tokens.familyIdFrom(secret))
  return pair ? { ...done, pair } : done
}
