import { schemas } from '@holdpoint/core/protocol'
import { z } from 'zod'
import type { AccountProvider } from '../../engine/api/account-provider.ts'
import { checkBody } from '../../http/requests/check-body.ts'
import { refuse } from '../../http/requests/refuse.ts'
import { jsonResponse } from '../../http/responses/http-response.ts'
import { checkedReturn } from '../../http/routes/checked-return.ts'
import type { Route } from '../../http/routing/route.ts'
import { randomToken } from '../../security/hashes.ts'
import { forgetAccounts } from '../accounts/accounts.ts'
import type { OAuthProvider } from '../oauth/provider.ts'
import type { Broker } from '../shared/broker.ts'
import { connectionsOf } from './list.ts'

const disconnecting = z.strictObject({ integration: schemas.id, accountId: z.string().max(500).optional() })
const connecting = z.strictObject({ integration: schemas.id, returnTo: z.string().max(2_048).optional() })

/**
 * Returns routes for the accounts of the user who is logged in to the app, for a settings page. `/connections` is for
 * command-line tools, which have session tokens.
 */
export function ownAccounts(broker: Broker, { start }: Pick<AccountProvider, 'start'>): Route[] {
  return [
    {
      method: 'GET',
      path: '/accounts',
      handle: async ({ principal }) => jsonResponse(200, { accounts: await connectionsOf(broker, principal) }),
    },
    {
      method: 'POST',
      path: '/accounts/connect',
      async handle(context) {
        const { integration, returnTo } = checkBody(connecting, await context.json())
        providerOf(broker, integration)
        const flowId = randomToken(broker.environment.randomBytes, 16)
        const back = checkedReturn(context, returnTo)
        return jsonResponse(200, await start(context.principal, integration, { flowId, ...back }))
      },
    },
    {
      method: 'POST',
      path: '/accounts/disconnect',
      async handle({ principal, json }) {
        const { integration, accountId } = checkBody(disconnecting, await json())
        const provider = providerOf(broker, integration)
        const disconnected = await forgetAccounts(broker, principal, provider, accountId)
        return jsonResponse(200, { status: 'accepted', disconnected })
      },
    },
  ]
}

function providerOf(broker: Broker, integration: string): OAuthProvider {
  const provider = broker.provider(integration)
  if (provider) return provider
  const message = 'This server connects to no service of this name. GET /accounts lists the services.'
  refuse('invalid_message', message, { path: 'integration' })
}
