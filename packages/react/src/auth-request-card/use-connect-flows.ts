import type { ConnectAttempt, HoldpointClient, Interaction } from '@holdpoint/core'
import {
  browserEnvironment,
  type ConnectResult,
  type ConnectState,
  type FlowOutcome,
  flowMode,
  listenForFlow,
  openFlowWindow,
} from '@holdpoint/core/internal'
import { initialState } from '@holdpoint/core/machine'
import { useCallback, useEffect, useRef, useState } from 'react'
import { onDemand, useOnDemand } from '../base/on-demand.ts'
import { useSettings } from '../settings/context.ts'
import { useResend } from '../settings/use-resend.ts'
import type { ConnectRow } from './connect-context.ts'

const connecting = /* @__PURE__ */ onDemand(() => import('@holdpoint/core/internal/connect'))
type Connecting = typeof import('@holdpoint/core/internal/connect')

export interface ConnectHandlers {
  /** Starts one flow; the client's `connectAccount` when omitted. */
  onConnect?: ((integration: string) => Promise<ConnectResult>) | undefined
  /**
   * Called when the person reports that the account is connected. When omitted, the client asks the server to check it.
   */
  onFinished?: ((integration: string) => unknown) | undefined
  /** Called when the server answers with a token for a widget of the provider's own, instead of an address. */
  onClientToken?: ((flow: { integration: string; flowId: string; clientToken: string }) => void) | undefined
  /** Leaves the page instead of opening a window. When omitted, the browser's abilities decide. */
  redirect?: boolean | undefined
  /** The address that the flow returns to; this page by default. */
  returnTo?: string | undefined
}

const FEWER = 'connected-fewer'
const idle: ConnectRow = { status: 'idle' }

/** The flows of one card, as the person sees them. Only the server decides whether an account is connected. */
export function useConnectFlows(interaction: Interaction | undefined, handlers: ConnectHandlers) {
  const { client } = useSettings()
  const { onConnect, onFinished, onClientToken, redirect, returnTo } = handlers
  const [rows, setRows] = useState<Readonly<Record<string, ConnectRow>>>({})
  const [fewer, setFewer] = useState<Readonly<Record<string, boolean>>>({})
  const [attempts] = useState(() => new Map<string, ConnectAttempt>())
  const [unsubscribers] = useState(() => new Map<string, () => void>())
  const mounted = useRef(false)
  useOnDemand(connecting)
  useEffect(() => {
    mounted.current = true
    return () => {
      // The person may continue in the other window, so it stays open. This component only stops rendering it.
      mounted.current = false
      for (const stop of unsubscribers.values()) stop()
      unsubscribers.clear()
    }
  }, [unsubscribers])

  const startAttempt = useCallback(
    ({ beginAttempt }: Connecting, integration: string, opened?: Window | null) => {
      if (!interaction) return
      const { interactionId } = interaction
      const onChange = (state: ConnectState) => {
        if (mounted.current) setRows((before) => ({ ...before, [integration]: rowOf(state) }))
        if (state.step === 'client-token') onClientToken?.({ integration, ...state })
      }
      const attempt = attempts.get(integration)
      const isRunning = attempt?.state().step === 'waiting' || attempt?.state().step === 'checking'
      if (isRunning && attempt?.openAgain()) return
      // Only the other window reports that fewer permissions were granted, often after the server reported "connected".
      const listen = (flowId: string) => {
        if (!mounted.current) return
        unsubscribers.get(integration)?.()
        const onFlowEnd = (outcome: FlowOutcome) =>
          setFewer((before) => ({ ...before, [integration]: outcome === FEWER }))
        unsubscribers.set(integration, listenForFlow(flowId, onFlowEnd))
      }
      attempts.set(
        integration,
        beginAttempt({
          env: browserEnvironment(),
          listenForFlow,
          flowMode,
          openFlowWindow,
          client: counterpart(client, interaction, onConnect, onFinished, listen),
          interactionId,
          integration,
          onChange,
          ...(opened === undefined ? {} : { opened }),
          // The row shows the address as a link, so that the person decides to leave the page.
          leave: () => {},
          ...(redirect === undefined ? {} : { mode: redirect ? 'redirect' : 'popup' }),
          ...(returnTo === undefined ? {} : { returnTo }),
        }),
      )
    },
    [interaction, client, attempts, unsubscribers, onConnect, onFinished, onClientToken, redirect, returnTo],
  )
  const start = useCallback(
    async (integration: string) => {
      const show = (row: ConnectRow) => {
        if (mounted.current) setRows((before) => ({ ...before, [integration]: row }))
      }
      // Without waiting: a browser opens a window in a click only.
      if (connecting.state.part) return startAttempt(connecting.state.part, integration)
      show({ status: 'opening' })
      const mode = flowMode(redirect === undefined ? undefined : redirect ? 'redirect' : 'popup', window)
      const opened = mode === 'popup' && navigator.onLine !== false ? openFlowWindow(window) : null
      if (navigator.onLine !== false) await connecting.load()
      if (connecting.state.part) return startAttempt(connecting.state.part, integration, opened)
      // Without the code that watches a window, the row shows the address as a link.
      opened?.close()
      if (!interaction) return
      try {
        const { connectAccount } = counterpart(client, interaction, onConnect, onFinished, () => {})
        const options = { returnTo: returnTo ?? window.location.href }
        const flow = await connectAccount(interaction.interactionId, integration, options)
        if ('clientToken' in flow) onClientToken?.({ integration, ...flow })
        show('url' in flow ? { status: 'blocked', url: flow.url } : { status: 'waiting' })
      } catch {
        show({ status: 'failed', notSent: true })
      }
    },
    [startAttempt, client, interaction, onConnect, onFinished, onClientToken, redirect, returnTo],
  )
  const finished = useCallback((integration: string) => attempts.get(integration)?.check(), [attempts])
  const unasked = Object.keys(rows).find((each) => rows[each]?.status === 'waiting' && rows[each].notSent)
  useResend(unasked === undefined ? undefined : rows[unasked], () => {
    if (unasked !== undefined) finished(unasked)
  })
  // A window opens only in a click: the request cannot be sent again by itself, so the row says when it can be.
  const unstarted = Object.keys(rows).find((each) => rows[each]?.status === 'failed' && rows[each].notSent)
  useResend(unstarted === undefined ? undefined : rows[unstarted], () => {
    const back = (each: ConnectRow) => (each.status === 'failed' && each.notSent ? { ...each, isBack: true } : each)
    setRows((before) => Object.fromEntries(Object.entries(before).map(([name, each]) => [name, back(each)])))
  })
  const row = useCallback((integration: string) => rows[integration] ?? idle, [rows])
  /** Returns the state of an account that the server reports as connected. */
  const connected = useCallback(
    (integration: string): ConnectRow => ({ status: fewer[integration] ? FEWER : 'connected' }),
    [fewer],
  )
  return { row, connected, start, finished }
}

type Counterpart = Pick<HoldpointClient, 'connectAccount' | 'submitAuthResult' | 'subscribe' | 'getSnapshot'>

/** Returns the functions of the client, replaced by those of the application where it passes its own. */
function counterpart(
  client: HoldpointClient | null,
  interaction: Interaction,
  onConnect: ConnectHandlers['onConnect'],
  onFinished: ConnectHandlers['onFinished'],
  onFlow: (flowId: string) => void,
): Counterpart {
  const known = client?.getSnapshot().interactions.has(interaction.interactionId)
  const alone = {
    ...initialState({ sessionId: '', clientId: '' }),
    interactions: new Map([[interaction.interactionId, interaction]]),
  }
  return {
    async connectAccount(id, integration, options) {
      const flow = await (onConnect?.(integration) ?? client?.connectAccount(id, integration, options))
      if (!flow) throw new Error('Nothing to connect with: give the card a client or onConnect')
      onFlow(flow.flowId)
      return flow
    },
    async submitAuthResult(generationId, integration, success) {
      if (onFinished) await onFinished(integration)
      else await client?.submitAuthResult(generationId, integration, success)
    },
    subscribe: (listener, topics) => client?.subscribe(listener, topics) ?? (() => {}),
    getSnapshot: () => (client && known ? client.getSnapshot() : alone),
  }
}

function rowOf(state: ConnectState): ConnectRow {
  switch (state.step) {
    case 'leaving':
      return { status: 'redirect', url: state.url }
    case 'waiting':
      return { status: 'waiting', url: state.url, closed: state.closed, notSent: state.notSent }
    case 'blocked':
      return { status: 'blocked', url: state.url }
    case 'checking':
      return { status: 'checking', url: state.url }
    case 'client-token':
      return { status: 'waiting' }
    case 'opening':
    case 'denied':
    case 'wrong-account':
      return { status: state.step }
    case 'failed':
      return { status: 'failed', notSent: state.notSent }
    default:
      return idle
  }
}
