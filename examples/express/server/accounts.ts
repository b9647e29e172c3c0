import { localOAuth } from '@holdpoint/conformance/local-oauth'
import { type AccountBroker, createAccountBroker } from '@holdpoint/server/accounts'
import type { Store } from '@holdpoint/server/store'

import { answerErrand } from './errands.ts'
import { secret } from './keys.ts'
import { authenticate } from './login.ts'

/** A simulated Slack and Gmail on this machine, so that connecting works without real accounts. */
export async function makeAccounts(store: Store, origin: string): Promise<AccountBroker & { slackUrl: string }> {
  const services = await localOAuth({ redirectUris: [`${origin}/holdpoint/connections/callback`] })
  const broker: AccountBroker = createAccountBroker({
    store,
    providers: [services.slack, services.gmail],
    vaultKeys: [{ id: '1', key: Buffer.from(secret('vault'), 'base64') }],
    baseUrl: `${origin}/holdpoint`,
    authenticate,
    development: true,
    appName: 'Holdpoint example',
    // For programs on the command line: examples/cli.
    sessionSecrets: [secret('session')],
    ask: (asked) => answerErrand(asked, (who) => broker.token(who, 'slack'), services.url),
  })
  return Object.assign(broker, { slackUrl: services.url })
}
