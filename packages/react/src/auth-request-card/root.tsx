import { type ReactNode, useMemo } from 'react'
import { CardRoot, type CardRootProps } from '../card/card.tsx'
import { authOf } from '../wording/question-text.ts'
import { ConnectContext, type ConnectRow } from './connect-context.ts'
import { type ConnectHandlers, useConnectFlows } from './use-connect-flows.ts'

export interface AuthRequestCardRootProps extends CardRootProps, ConnectHandlers {
  /** The state of each account, if the application decides it instead of the card. */
  rows?: Readonly<Record<string, ConnectRow>> | undefined
}

const none: readonly string[] = []

/** The frame of a request for accounts; its parts go inside. */
export function AuthRequestCardRoot(props: AuthRequestCardRootProps): ReactNode {
  const { children, rows, onConnect, onFinished, onClientToken, redirect, returnTo, ...card } = props
  const { interaction } = card
  const {
    row: flowOf,
    connected,
    start,
    finished,
  } = useConnectFlows(interaction, { onConnect, onFinished, onClientToken, redirect, returnTo })
  const connecting = useMemo(() => {
    const row = (integration: string): ConnectRow => {
      const shown = rows?.[integration] ?? flowOf(integration)
      // The state from the server takes precedence over the state of this window.
      if (!interaction?.connected.includes(integration)) return shown
      return shown.status === 'connected-fewer' ? shown : connected(integration)
    }
    return {
      integrations: (interaction && authOf(interaction)?.integrations) ?? none,
      row,
      start,
      finished,
    }
  }, [interaction, rows, flowOf, connected, start, finished])
  return (
    <ConnectContext.Provider value={connecting}>
      <CardRoot {...card} kind="connect">
        {children}
      </CardRoot>
    </ConnectContext.Provider>
  )
}
