import { schemas } from '@holdpoint/core/protocol'
import { z } from 'zod'
import { checkBody } from '../../http/requests/check-body.ts'
import { refuse } from '../../http/requests/refuse.ts'
import { jsonResponse } from '../../http/responses/http-response.ts'
import type { Route } from '../../http/routing/route.ts'
import { forgetAccounts } from '../accounts/accounts.ts'
import type { Broker } from '../shared/broker.ts'
import { connectionsOf } from './list.ts'

const asked = z.strictObject({ integration: schemas.id, accountId: z.string().max(500).optional() })

/**
 * Returns routes for the accounts of the user who is logged in to the app, for a settings page. `/connections` is for
 * command-line tools, which have session tokens.
 */
export function ownAccounts(broker: Broker): Route[] {
  return [
    {
      method: 'GET',
      path: '/accounts',
      handle: async ({ principal }) => jsonResponse(200, { accounts: await connectionsOf(broker, principal) }),
    },
    {
      method: 'POST',
      path: '/accounts/disconnect',
      async handle({ principal, json }) {
        const { integration, accountId } = checkBody(asked, await json())
        const provider = broker.provider(integration)
        if (!provider) {
          const message = 'This server connects to no service of this name. GET /accounts lists the services.'
          refuse('invalid_message', message, { path: 'integration' })
        }
        const disconnected = await forgetAccounts(broker, principal, provider, accountId)
        return jsonResponse(200, { status: 'accepted', disconnected })
      },
    },
  ]
}
