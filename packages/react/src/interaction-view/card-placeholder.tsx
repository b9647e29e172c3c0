import { type Interaction, isOpen } from '@holdpoint/core'
import { fewEnglish } from '@holdpoint/core/internal/words'
import { useSettings } from '../settings/context.ts'

/** Keeps the place of a card until its code is loaded. If that fails, `retry` is given, and the placeholder explains it. */
export function CardPlaceholder(props: { interaction: Interaction | undefined; retry?: () => void }) {
  const { interaction, retry } = props
  const { messages, dir, lang, classNames } = useSettings()
  const open = !interaction || isOpen(interaction)
  const { loading, partFailed, tryNow } = messages ?? fewEnglish
  return (
    // biome-ignore lint/a11y/useSemanticElements: the same element as the card that replaces it
    <section
      className={`hp-card hp-placeholder ${classNames.card ?? ''}`.trim()}
      data-slot="card"
      data-state="loading"
      data-kind={interaction?.kind}
      data-interaction-id={interaction?.interactionId}
      data-open={open || undefined}
      role="group"
      aria-label={loading}
      aria-busy={!retry}
      dir={dir}
      lang={lang}
    >
      {retry ? (
        <div className="hp-on-demand">
          {partFailed}
          <button type="button" className="hp-button" data-slot="retry" data-variant="quiet" onClick={retry}>
            {tryNow}
          </button>
        </div>
      ) : (
        <div className="hp-loading" aria-hidden="true">
          <span />
          {open ? <span /> : null}
        </div>
      )}
    </section>
  )
}
