import { CardButton } from './button.tsx'
import { useCard } from './card-context.ts'

/**
 * Keeps the place of a part of a card until the part is loaded. If loading fails, the notice explains it, and a button
 * tries again.
 */
export function OnDemandNotice(props: { id?: string; failed: boolean | undefined; load: () => void }) {
  const { id, failed = false, load } = props
  const { messages } = useCard()
  return (
    <div className="hp-on-demand" data-slot="loading" id={id} aria-busy={!failed}>
      {failed ? (
        <>
          {messages.partFailed}
          <CardButton slotName="retry" variant="quiet" onPress={load}>
            {messages.tryNow}
          </CardButton>
        </>
      ) : null}
    </div>
  )
}
