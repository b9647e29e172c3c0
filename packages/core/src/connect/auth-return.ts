import type { HoldpointClient } from '../client/api/types.ts'
import type { BrowserWindow } from '../dom-types.ts'
import { type FlowOutcome, reportFlow } from './flow-channel.ts'

/** The result of an authorization in a page's address. It is only a hint, because any page can write such an address. */
export interface AuthReturn {
  integration: string
  /** The run that waits; missing if the account was connected without one, for example on a settings page. */
  generationId?: string
  flowId?: string
  outcome: FlowOutcome
  /** The provider's code for the denial. */
  error?: string
  /** This window was opened only for the authorization. */
  popup: boolean
  /** The address without these parameters. */
  cleanUrl: string
}

const PARAMETERS = ['auth_complete', 'auth_failed', 'auth_error', 'auth_popup', 'generation_id', 'flow_id']
const OUTCOMES: Readonly<Record<string, FlowOutcome>> = {
  access_denied: 'denied',
  wrong_account: 'wrong-account',
  fewer_scopes: 'connected-fewer',
}

/**
 * Reads the result of an authorization from a page's address; null if the address contains none. `handleAuthReturn`
 * also handles it.
 *
 * @example const returned = readAuthReturn(location.href)
 */
export function readAuthReturn(address: string): AuthReturn | null {
  const url = new URL(address)
  const get = (name: string) => url.searchParams.get(name)
  const integration = get('auth_complete') ?? get('auth_failed')
  const [generationId, flowId] = [get('generation_id'), get('flow_id')]
  const error = get('auth_error') ?? (get('auth_complete') === null ? 'failed' : null)
  if (!integration) return null
  const popup = get('auth_popup') !== null
  for (const name of PARAMETERS) url.searchParams.delete(name)
  return {
    integration,
    ...(generationId ? { generationId } : {}),
    ...(flowId ? { flowId } : {}),
    outcome: error ? (Object.hasOwn(OUTCOMES, error) ? (OUTCOMES[error] as FlowOutcome) : 'failed') : 'connected',
    ...(error ? { error } : {}),
    popup,
    cleanUrl: url.href,
  }
}

/**
 * Handles the return of an authorization, in any tab and after a loss of state. It removes the parameters from the
 * address, notifies the window that waits, asks the server to check the account, and closes a window that was opened
 * for the flow. Resolves when the server has received the request; null if the address contains no result for a run.
 *
 * @example
 * const returned = await handleAuthReturn({ client })
 * if (returned?.outcome === 'denied') toast(`${returned.integration} was not connected.`)
 */
export async function handleAuthReturn({
  client,
  window = globalThis.window,
}: {
  client: Pick<HoldpointClient, 'submitAuthResult'>
  window?: BrowserWindow
}): Promise<AuthReturn | null> {
  const returned = readAuthReturn(window.location.href)
  if (!returned?.generationId) return null
  // Clean the address first, so that it is not used twice or shared.
  window.history.replaceState(window.history.state, '', returned.cleanUrl)
  const { flowId, outcome, generationId, integration } = returned
  if (flowId) reportFlow(flowId, outcome, window)
  await client.submitAuthResult(generationId, integration, outcome === 'connected' || outcome === 'connected-fewer')
  // Browsers close only windows that a script opened; otherwise this call has no effect.
  if (returned.popup) window.close()
  return returned
}
