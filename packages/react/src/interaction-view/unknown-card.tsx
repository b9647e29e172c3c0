import type { ReactNode } from 'react'
import { CardRoot, type CardRootProps } from '../card/card.tsx'
import { CardButton } from '../card/elements/button.tsx'
import { useCard } from '../card/elements/card-context.ts'
import { CardActions, CardHeader } from '../card/layout.tsx'
import { CardOutcome } from '../card/outcome.tsx'
import { CardStatus } from '../card/status.tsx'
import { ReadableArguments } from '../readable/readable-arguments.tsx'

/**
 * Shows a question of a kind that only a newer server knows: it explains this, shows the content, and can be declined.
 */
export function UnknownCard(props: Omit<CardRootProps, 'children'>): ReactNode {
  return (
    <CardRoot {...props} kind="unknown">
      <CardHeader icon="unknown" popOut={false} />
      <Rest />
      <CardOutcome />
    </CardRoot>
  )
}

function Rest() {
  const { open, request, respond, messages } = useCard()
  const args = request?.args
  if (!open) return null
  return (
    <>
      {args === undefined ? null : <ReadableArguments args={args} />}
      <CardStatus />
      <CardActions>
        <CardButton slotName="decline" variant="secondary" onPress={() => respond({ action: 'decline' })}>
          {messages.decline}
        </CardButton>
      </CardActions>
    </>
  )
}
