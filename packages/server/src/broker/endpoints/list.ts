import type { Principal } from '../../base/principal.ts'
import { jsonResponse } from '../../http/responses/http-response.ts'
import { openAccount, pickAccount } from '../accounts/account-row.ts'
import { forgetAccounts, listAccounts } from '../accounts/accounts.ts'
import { requireOwner } from '../http/bearer-user.ts'
import { type Endpoint, jsonOf, textIn } from '../http/call.ts'
import type { Broker } from '../shared/broker.ts'
import type { ConnectionsResponse, DisconnectResponse, IntegrationState } from '../shared/wire.ts'
import { requireService } from './connect.ts'

/** `GET /connections`: lists all services, with and without an account. */
export const list: Endpoint = {
  method: 'GET',
  path: '/connections',
  async handle(call) {
    const owner = await requireOwner(call, call.incoming.query.get('session_id') ?? undefined)
    return jsonResponse(200, { connections: await connectionsOf(call.broker, owner) })
  },
}

/** `POST /connections/disconnect?service=` */
export const disconnect: Endpoint = {
  method: 'POST',
  path: '/connections/disconnect',
  withoutOrigin: true,
  async handle(call) {
    const provider = requireService(call)
    const body = await jsonOf(call)
    const owner = await requireOwner(call, textIn(body, 'session_id', 200))
    await forgetAccounts(call.broker, owner, provider, textIn(body, 'account_id', 500))
    const left = await listAccounts(call.broker, owner, provider.id)
    const response: DisconnectResponse = {
      service: provider.id,
      connected: left.some(({ row }) => row.state === 'connected'),
      message: `Successfully disconnected from ${provider.id}`,
    }
    return jsonResponse(200, response)
  },
}

export async function connectionsOf(broker: Broker, owner: Principal): Promise<ConnectionsResponse['connections']> {
  const accounts = await listAccounts(broker, owner)
  const entries = [...broker.providers.keys()].map(async (integration): Promise<[string, IntegrationState]> => {
    const mine = accounts.filter(({ row }) => row.integration === integration)
    const chosen = pickAccount(mine)
    if (!chosen) return [integration, { connected: false }]
    const opened = await Promise.all(
      mine.map(async ({ id, row }) => {
        const { profile } = await openAccount(broker.vault, owner, row)
        return { id, connected: row.state === 'connected', profile }
      }),
    )
    const used = opened.find(({ id }) => id === chosen.id)
    const connected = chosen.row.state === 'connected'
    return [
      integration,
      {
        connected,
        ...(!connected && { reconnect: true as const }),
        ...(used && { user: used.profile.user }),
        ...(used && Object.keys(used.profile.metadata).length > 0 && { metadata: used.profile.metadata }),
        scopes: chosen.row.scopes,
        ...(opened.length > 1 && {
          accounts: opened.map(({ id, connected, profile }) => ({
            account_id: profile.accountId,
            default: id === chosen.id,
            connected,
            user: profile.user,
          })),
        }),
      },
    ]
  })
  return Object.fromEntries(await Promise.all(entries))
}
