import { forwardRef, type TextareaHTMLAttributes } from 'react'
import { useCard } from '../card/elements/card-context.ts'

interface WordsFieldProps extends TextareaHTMLAttributes<HTMLTextAreaElement> {
  value: string
  onWords: (words: string) => void
}

/** The person's text for the assistant. Enter inserts a line break and never answers. */
export const WordsField = /* @__PURE__ */ forwardRef<HTMLTextAreaElement, WordsFieldProps>(function WordsField(
  { onWords, ...props },
  ref,
) {
  const { view } = useCard()
  return (
    <textarea
      ref={ref}
      className="hp-input"
      rows={2}
      maxLength={4_000}
      dir="auto"
      readOnly={!view.canAnswer}
      onChange={(event) => onWords(event.target.value)}
      {...props}
    />
  )
})
