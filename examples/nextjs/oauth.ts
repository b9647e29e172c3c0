import { localOAuth } from '@holdpoint/conformance/local-oauth'

/**
 * The simulated Slack and Gmail, in a separate process, because real services do not restart with your server either.
 */
const { url } = await localOAuth({
  port: Number(process.env.LOCAL_OAUTH_PORT ?? 4010),
  redirectUris: [`${process.env.APP_URL ?? 'http://localhost:3000'}/holdpoint/connections/callback`],
})
console.log(`A simulated Slack and Gmail at ${url}`)
