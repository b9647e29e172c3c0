import { isHoldpointError } from '@holdpoint/core'
import type { Logger } from '../../base/logger.ts'
import type { GuardedFetch } from '../../security/outbound/guarded-fetch.ts'
import type { WebhookCredentials } from '../../webhooks/receive.ts'
import { refuse } from '../shared/respond.ts'

/** The address of an agent, and the password for it. */
export interface AgentAddress {
  url: string
  password?: string
}

/**
 * Opens or refreshes a session at the agent. Any failure of the agent becomes a 502 without details of its response.
 */
export async function openRemote(
  { fetch, logger }: { fetch: GuardedFetch; logger: Logger },
  { url, password }: AgentAddress,
  remoteId: string,
  webhook: WebhookCredentials,
): Promise<string> {
  const failed = (reason: string): never => {
    logger.warn('A remote agent did not open a session.', { sessionId: remoteId, reason })
    return refuse(
      502,
      'agent_failed',
      `The remote agent did not open a session: ${words[reason] ?? 'it rejected the request'}.`,
      {
        reason,
      },
    )
  }
  let response: Response
  try {
    response = await fetch(`${base(url)}/session`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json',
        ...(password !== undefined && { authorization: `Bearer ${password}` }),
      },
      body: JSON.stringify({ sessionId: remoteId, webhookUrl: webhook.url, webhookSecret: webhook.secret }),
    })
  } catch (error) {
    return failed(isHoldpointError(error) ? error.code : 'unreachable')
  }
  if (!response.ok) return failed(response.status === 401 || response.status === 403 ? 'wrong_password' : 'refused')
  const type = response.headers.get('content-type')?.split(';', 1)[0]?.trim().toLowerCase()
  if (type !== 'application/json') return failed('wrong_type')
  const body: unknown = await response.json().catch(() => null)
  const token = typeof body === 'object' && body !== null && 'token' in body ? body.token : undefined
  // The token becomes part of a URL and of a header, so it must not contain characters that end either of them.
  if (typeof token !== 'string' || !/^[\w.~-]{16,4096}$/.test(token)) return failed('no_token')
  return token
}

const words: Record<string, string> = {
  unreachable: 'it cannot be reached, or did not answer in time',
  url_not_allowed: 'its address may not be called',
  response_too_large: 'its answer is too large',
  wrong_password: 'it does not accept our password',
  wrong_type: 'its answer is not JSON',
  no_token: 'its answer holds no token',
}

export const base = (url: string) => url.replace(/\/+$/, '')
