import { say } from '@holdpoint/core/internal'
import { type ReactNode, useEffect, useRef } from 'react'
import { CardButton } from '../card/elements/button.tsx'
import { useCard } from '../card/elements/card-context.ts'
import { Part, type PartProps } from '../card/elements/part.tsx'
import { CardActions, CardHeader, CardLoading } from '../card/layout.tsx'
import { CardOutcome } from '../card/outcome.tsx'
import { CardStatus } from '../card/status.tsx'
import { Text } from '../wording/text.tsx'
import { useConnecting } from './connect-context.ts'
import { AuthRequestCardRoot, type AuthRequestCardRootProps } from './root.tsx'
import { AuthRequestCardRow } from './row.tsx'

/** The props of the complete `AuthRequestCard`. To arrange its parts yourself, use `AuthRequestCard.Root`. */
export type AuthRequestCardProps = Omit<AuthRequestCardRootProps, 'children'>

/** The accounts, one row each. */
export function AuthRequestCardList(props: PartProps) {
  const { integrations } = useConnecting()
  if (!integrations.length) return null
  return (
    <Part as="ul" slotName="list" {...props}>
      {props.children ??
        integrations.map((integration) => <AuthRequestCardRow key={integration} integration={integration} />)}
    </Part>
  )
}

/** Shows how many accounts are connected, and announces changes. */
export function AuthRequestCardProgress(props: PartProps) {
  const { over, messages, announcer } = useCard()
  const { integrations, row } = useConnecting()
  const total = integrations.length
  const connected = integrations.filter((each) => row(each).status.startsWith('connected')).length
  const text = say(messages.progress, { connected, total })
  const before = useRef(connected)
  useEffect(() => {
    if (before.current !== connected && total > 1) announcer?.announce(text)
    before.current = connected
  }, [connected, total, text, announcer])
  if (total < 2 || over) return null
  return (
    <Part as="p" slotName="progress" {...props}>
      {props.children ?? <Text>{text}</Text>}
    </Part>
  )
}

/**
 * Ends the run. The label names this effect, because "Cancel" would not tell whether the run or only the question ends.
 */
export function AuthRequestCardStop(props: PartProps) {
  const { open, view, cancelRun, messages } = useCard()
  if (!open) return null
  return (
    <CardButton slotName="stop" variant="secondary" blocked={!view.canAnswer} onPress={cancelRun} {...props}>
      {props.children ?? messages.stopTask}
    </CardButton>
  )
}

/** The complete card of a request for accounts. */
export function AccountsCard(props: AuthRequestCardProps): ReactNode {
  return (
    <AuthRequestCardRoot {...props}>
      <CardHeader icon="connect" popOut={false} />
      <CardLoading />
      <OpenRows />
      <CardOutcome>
        <AuthRequestCardList />
      </CardOutcome>
    </AuthRequestCardRoot>
  )
}

function OpenRows() {
  if (useCard().over) return null
  return (
    <>
      <AuthRequestCardList />
      <AuthRequestCardProgress />
      <CardActions>
        <AuthRequestCardStop />
        <CardStatus />
      </CardActions>
    </>
  )
}
