import type { BrowserWindow } from '../dom-types.ts'

/**
 * How an attempt to connect ended, according to the returned page. It is a hint: the server checks the account itself.
 */
export type FlowOutcome = 'connected' | 'connected-fewer' | 'denied' | 'wrong-account' | 'failed'

/** The message between windows is one of five words, never a code or a token. */
export interface FlowMessage {
  type: 'holdpoint_auth'
  flowId: string
  result: FlowOutcome
}

const OUTCOMES: readonly unknown[] = ['connected', 'connected-fewer', 'denied', 'wrong-account', 'failed']

/**
 * Returns the name of a flow's BroadcastChannel and storage key. The page that ends a flow in a pop-up uses the same.
 *
 * @example
 * new BroadcastChannel(flowChannelName(flowId)).postMessage({
 *   type: 'holdpoint_auth',
 *   flowId,
 *   result: 'connected',
 * })
 */
export function flowChannelName(flowId: string): string {
  return `holdpoint-flow-${flowId}`
}

/**
 * Listens for the end of a flow in another window of the same origin, by BroadcastChannel, and by storage events where
 * a browser isolates the channel. It does not use `postMessage`, which accepts other origins.
 *
 * @example const stop = listenForFlow(flowId, (outcome) => show(outcome))
 */
export function listenForFlow(
  flowId: string,
  onOutcome: (outcome: FlowOutcome) => void,
  window: BrowserWindow = globalThis.window,
): () => void {
  const name = flowChannelName(flowId)
  const receive = (message: Partial<FlowMessage> | null) => {
    if (message?.type !== 'holdpoint_auth' || message.flowId !== flowId) return
    if (OUTCOMES.includes(message.result)) onOutcome(message.result as FlowOutcome)
  }
  const channel = typeof BroadcastChannel === 'function' ? new BroadcastChannel(name) : null
  channel?.addEventListener('message', ({ data }) => receive(data))
  const stored = ({ key, newValue }: StorageEvent) => {
    if (key !== name || !newValue) return
    try {
      receive(JSON.parse(newValue))
    } catch {
      // The message is not for this flow.
    }
  }
  window.addEventListener('storage', stored)
  return () => {
    channel?.close()
    window.removeEventListener('storage', stored)
  }
}

/**
 * Notifies the window that waits for a flow.
 *
 * @example reportFlow(flowId, 'denied')
 */
export function reportFlow(flowId: string, result: FlowOutcome, window: BrowserWindow = globalThis.window): void {
  const name = flowChannelName(flowId)
  const message: FlowMessage = { type: 'holdpoint_auth', flowId, result }
  if (typeof BroadcastChannel === 'function') {
    const channel = new BroadcastChannel(name)
    channel.postMessage(message)
    channel.close()
  }
  try {
    window.localStorage.setItem(name, JSON.stringify(message))
    window.localStorage.removeItem(name)
  } catch {
    // Storage may be forbidden; the event stream reports the result in any case.
  }
}
