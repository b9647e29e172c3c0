import { createAccountBroker } from '@holdpoint/server/accounts'
import { secret } from './keys.ts'
import { authenticate } from './login.ts'
import { once } from './once.ts'
import { origin } from './origin.ts'
import { services } from './services.ts'
import { store } from './store.ts'

/** People's accounts at other services. */
export const accounts = once('accounts', () =>
  createAccountBroker({
    store,
    providers: services,
    vaultKeys: [{ id: '1', key: Buffer.from(secret('vault'), 'base64') }],
    baseUrl: `${origin}/holdpoint`,
    authenticate,
    development: true,
    appName: 'Holdpoint example',
  }),
)
