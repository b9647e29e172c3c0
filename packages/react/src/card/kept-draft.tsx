import { useCopy } from './behavior/use-copy.ts'
import { CardButton } from './elements/button.tsx'
import { useCard } from './elements/card-context.ts'
import { Part, type PartProps } from './elements/part.tsx'
import { endedUnanswered } from './elements/use-view.ts'

/** Offers what was typed for copying when the question ended before it was sent. */
export function CardKeptDraft({ text, ...props }: PartProps & { text: string }) {
  const { view, messages, id } = useCard()
  const { copied, copy } = useCopy(text)
  if (!text || !endedUnanswered(view.state)) return null
  return (
    <Part slotName="kept-draft" {...props}>
      <span id={id('kept')}>{messages.keptDraft}</span>
      <CardButton slotName="copy-draft" variant="quiet" onPress={copy}>
        {copied ? messages.copied : messages.copyDraft}
      </CardButton>
      {/* Without a permission to write to the clipboard the person copies by hand. */}
      {copied === false ? (
        <textarea className="hp-input" readOnly rows={4} aria-labelledby={id('kept')} value={text} />
      ) : null}
    </Part>
  )
}
