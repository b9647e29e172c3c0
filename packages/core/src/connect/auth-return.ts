import type { HoldpointClient } from '../client/types.ts'
import type { BrowserWindow } from '../dom-types.ts'
import { type FlowOutcome, reportFlow } from './flow-channel.ts'

/** What a page's address says of an authorization that has just ended. A hint: anybody can write such an address. */
export interface AuthReturn {
  integration: string
  /** The run that waits. */
  generationId: string
  flowId?: string
  outcome: FlowOutcome
  /** The provider's code for its no. */
  error?: string
  /** This window was opened for the authorization alone. */
  popup: boolean
  /** The address without any of it. */
  cleanUrl: string
}

const PARAMETERS = ['auth_complete', 'auth_failed', 'auth_error', 'auth_popup', 'generation_id', 'flow_id']
const OUTCOMES: Readonly<Record<string, FlowOutcome>> = {
  access_denied: 'denied',
  wrong_account: 'wrong-account',
  fewer_scopes: 'connected-fewer',
}

/**
 * Reads from a page's address how an authorization has just ended; null when the address says nothing of the kind.
 * `handleAuthReturn` does this and the rest.
 *
 * @example
 * const returned = readAuthReturn(location.href)
 */
export function readAuthReturn(address: string): AuthReturn | null {
  const url = new URL(address)
  const get = (name: string) => url.searchParams.get(name)
  const integration = get('auth_complete') ?? get('auth_failed')
  const [generationId, flowId] = [get('generation_id'), get('flow_id')]
  const error = get('auth_error') ?? (get('auth_complete') === null ? 'failed' : null)
  if (!integration || !generationId) return null
  const popup = get('auth_popup') !== null
  for (const name of PARAMETERS) url.searchParams.delete(name)
  return {
    integration,
    generationId,
    ...(flowId ? { flowId } : {}),
    outcome: error ? (Object.hasOwn(OUTCOMES, error) ? (OUTCOMES[error] as FlowOutcome) : 'failed') : 'connected',
    ...(error ? { error } : {}),
    popup,
    cleanUrl: url.href,
  }
}

/**
 * For the page that an authorization returns to, in whichever tab and with whatever state was lost: takes the traces
 * out of the address, tells the window that waits, tells the server to look, and closes a window that was opened for it.
 * Resolves when the server has been told; null when the address says nothing of the kind.
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
  if (!returned) return null
  // First of all: whatever comes next, this address is not used twice and not shared.
  window.history.replaceState(window.history.state, '', returned.cleanUrl)
  const { flowId, outcome, generationId, integration } = returned
  if (flowId) reportFlow(flowId, outcome, window)
  await client.submitAuthResult(generationId, integration, outcome === 'connected' || outcome === 'connected-fewer')
  // Browsers close only what a script opened: elsewhere this does nothing.
  if (returned.popup) window.close()
  return returned
}
