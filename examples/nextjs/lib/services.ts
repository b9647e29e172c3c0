import { localServices } from '@holdpoint/conformance/local-services'

/** A simulated Slack and Gmail on this machine (see oauth.ts), so that connecting works without real accounts. */
export const servicesUrl = process.env.LOCAL_OAUTH_URL ?? 'http://127.0.0.1:4010'

/** With real ones: `providers.slack({ clientId, clientSecret })` of `@holdpoint/server/accounts`. */
export const services = Object.values(localServices(servicesUrl))
