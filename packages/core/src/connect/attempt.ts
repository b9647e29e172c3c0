import type { ClientEnvironment } from '../client/api/types.ts'
import type { BrowserWindow } from '../dom-types.ts'
import type { ConnectAccountOptions, ConnectAttempt, ConnectState } from './connect-account.ts'
import type { FlowOutcome, listenForFlow } from './flow-channel.ts'
import type { flowMode, openFlowWindow } from './flow-window.ts'
import { isSafeAddress } from './safe-address.ts'

/** The options of an attempt, and what a page has already. */
export interface AttemptOptions extends ConnectAccountOptions {
  env: ClientEnvironment
  listenForFlow: typeof listenForFlow
  flowMode: typeof flowMode
  openFlowWindow: typeof openFlowWindow
  /** The window that the press has opened already, if this code was loaded after it. Null if it was blocked. */
  opened?: BrowserWindow | null
}

const LOOK_MS = 500
const CHECKING_MS = 8_000
/** The server has checked and the window is closed: the account will not be connected from there. */
const CLOSED_MS = 1_500
const FINAL: ReadonlySet<string> = new Set(['connected', 'denied', 'wrong-account', 'failed', 'ended'])

/** Begins one attempt, as `connectAccount` does. It imports nothing that a page has before it connects an account. */
export function beginAttempt(options: AttemptOptions): ConnectAttempt {
  const { client, interactionId, integration, onChange, env, listenForFlow, flowMode, openFlowWindow } = options
  const window = options.window ?? globalThis.window
  const mode = flowMode(options.mode, window)
  let popup = mode === 'redirect' ? null : options.opened === undefined ? openFlowWindow(window) : options.opened

  let state: ConnectState = { step: 'opening' }
  let url: string | undefined
  let finish = (_: ConnectState) => {}
  const done = new Promise<ConnectState>((resolve) => {
    finish = resolve
  })
  const unsubscribe = client.subscribe(readState, `interaction:${interactionId}`)
  let stopListening = () => {}
  let timer: unknown

  function set(next: ConnectState): void {
    if (FINAL.has(state.step)) return
    state = next
    if (FINAL.has(next.step)) {
      env.clearTimeout(timer)
      unsubscribe()
      stopListening()
      finish(next)
    }
    onChange?.(next)
  }

  /** The server's state is the only one that counts. */
  function readState(): void {
    const interaction = client.getSnapshot().interactions.get(interactionId)
    if (!interaction) return
    const { authResult, connected, status } = interaction
    const ours = authResult?.success && authResult.integrations.includes(integration)
    if (connected.includes(integration) || ours) set({ step: 'connected' })
    else if (status !== 'pending') set({ step: 'ended' })
  }

  function check(): void {
    if (FINAL.has(state.step)) return
    const { request } = client.getSnapshot().interactions.get(interactionId) ?? {}
    const generationId = (request as { generationId?: string } | undefined)?.generationId
    if (!generationId) return
    set({ step: 'checking', ...(url ? { url } : {}) })
    // The check found no account yet: the person may continue in the other window.
    lookAgain(CHECKING_MS)
    client.submitAuthResult(generationId, integration, true).then(
      () => isClosed() && lookAgain(CLOSED_MS),
      (error: unknown) => {
        if (state.step !== 'checking' || !url || !wasNotSent(error)) return
        env.clearTimeout(timer)
        set({ step: 'waiting', url, closed: isClosed(), notSent: true })
      },
    )
  }

  const isClosed = () => popup?.closed ?? true

  /** Continues to wait for the user, unless the server has sent a newer state. */
  function lookAgain(ms: number): void {
    env.clearTimeout(timer)
    timer = env.setTimeout(() => url && state.step === 'checking' && watch(url), ms)
  }

  /** A window that looks closed may only be unreachable (COOP), so the server is asked to check. */
  function watch(address: string, asked = isClosed()): void {
    const closed = isClosed()
    if (state.step !== 'waiting' || state.closed !== closed) set({ step: 'waiting', url: address, closed })
    if (closed && !asked) check()
    if (!closed) timer = env.setTimeout(() => watch(address, closed), LOOK_MS)
  }

  function go(address: string): void {
    url = address
    if (mode === 'redirect') {
      set({ step: 'leaving', url: address })
      if (options.leave) options.leave(address)
      else window.location.assign(address)
    } else if (!popup || popup.closed) {
      set({ step: 'blocked', url: address })
    } else {
      show(popup, address)
      watch(address)
    }
  }

  async function start(): Promise<void> {
    const returnTo = options.returnTo ?? window.location.href.split('#')[0] ?? ''
    const flow = await client.connectAccount(interactionId, integration, {
      returnTo: popup ? markedAsPopup(returnTo, window.location.href) : returnTo,
    })
    if (FINAL.has(state.step)) return void popup?.close()
    stopListening()
    stopListening = listenForFlow(flow.flowId, onFlowEnd, window)
    if ('clientToken' in flow) {
      popup?.close()
      set({ step: 'client-token', ...flow })
    } else if (isSafeAddress(flow.url)) {
      go(flow.url)
    } else {
      popup?.close()
      set({ step: 'failed', message: 'Refused to open the address of the server: it must be https.' })
    }
  }

  function onFlowEnd(outcome: FlowOutcome): void {
    if (outcome === 'connected' || outcome === 'connected-fewer') check()
    else if (outcome === 'failed') set({ step: 'failed', message: 'The service did not connect the account.' })
    else set({ step: outcome })
  }

  function startOrFail(): void {
    start().catch((error: unknown) => {
      popup?.close()
      const message = error instanceof Error ? error.message : 'Connecting could not be started.'
      set({ step: 'failed', message, ...(wasNotSent(error) && { notSent: true }) })
    })
  }

  onChange?.(state)
  startOrFail()

  return {
    state: () => state,
    done,
    openAgain() {
      if (!url || FINAL.has(state.step)) return false
      popup = openFlowWindow(window)
      if (!popup) return false
      // A new address, because the previous one may be spent or too old.
      env.clearTimeout(timer)
      set({ step: 'opening' })
      startOrFail()
      return true
    },
    check,
    stop: () => {
      popup?.close()
      set({ step: 'ended' })
    },
  }
}

/** The server sent no response, or one that may change with a retry. */
function wasNotSent(error: unknown): boolean {
  const { status = Number.NaN } = (error as { details?: { status?: number } } | null)?.details ?? {}
  return status === 0 || status === 429 || status >= 500
}

/** The provider's page must not be able to navigate ours. */
function show(popup: Window, address: string): void {
  popup.opener = null
  popup.location.replace(address)
}

/** In its own window the returned page is done and may close itself. */
function markedAsPopup(returnTo: string, base: string): string {
  const url = new URL(returnTo, base)
  url.searchParams.set('auth_popup', '1')
  return url.href
}
