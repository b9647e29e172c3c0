import { localOAuth } from '@holdpoint/conformance/local-oauth'

/** The make-believe Slack and Gmail, as a process of its own: real services do not restart with your server either. */
const { url } = await localOAuth({
  port: Number(process.env.LOCAL_OAUTH_PORT ?? 4010),
  redirectUris: [`${process.env.APP_URL ?? 'http://localhost:3000'}/holdpoint/connections/callback`],
})
console.log(`A make-believe Slack and Gmail at ${url}`)
