import { localServices } from '@holdpoint/conformance/local-services'

/** A make-believe Slack and Gmail on this machine (see oauth.ts), so that connecting works with no account anywhere. */
export const servicesUrl = process.env.LOCAL_OAUTH_URL ?? 'http://127.0.0.1:4010'

/** With real ones: `slack({ clientId, clientSecret })` and `google({ … })` of `@holdpoint/server/connections`. */
export const services = Object.values(localServices(servicesUrl))
