import { localOAuth } from '@holdpoint/conformance/local-oauth'
import { build } from '../../scripts/build.ts'
import { buildExample } from '../../scripts/example-build.ts'
import { type ExampleServer, exampleServer } from './example-server.ts'

/** The Next.js example as `demo` starts it: built once, its services in a process that outlives it. */
export async function nextServer(env: Record<string, string> = {}): Promise<ExampleServer> {
  if (!(await build({ stale: true })) || !(await buildExample('nextjs'))) {
    throw new Error('The Next.js example does not build: see above.')
  }
  let closeServices = async () => {}
  const server = await exampleServer('nextjs', async (url) => {
    const services = await localOAuth({ redirectUris: [`${url}/holdpoint/connections/callback`] })
    closeServices = services.close
    return {
      APP_URL: url,
      LOCAL_OAUTH_URL: services.url,
      NODE_ENV: 'production',
      NEXT_TELEMETRY_DISABLED: '1',
      AI_GATEWAY_API_KEY: '',
      ...env,
    }
  })
  return {
    ...server,
    async dispose() {
      await server.dispose()
      await closeServices()
    },
  }
}
