import { useState } from 'react'
import { CardButton } from '../card/elements/button.tsx'
import { useCard } from '../card/elements/card-context.ts'
import { CodeBlock } from '../card/elements/code-block.tsx'

/** The JSON that will run, and a button that copies exactly that. */
export function ExactRequest({ args }: { args: unknown }) {
  const { messages, announcer } = useCard()
  const [copied, setCopied] = useState(false)
  const text = JSON.stringify(args, null, 2)
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text)
      setCopied(true)
      announcer?.say(messages.copied)
    } catch {
      // Without a permission the person selects the text, which is there in full.
      setCopied(false)
    }
  }
  return (
    <>
      <CodeBlock text={text} />
      <CardButton slotName="copy" variant="quiet" onPress={() => void copy()}>
        {copied ? messages.copied : messages.copy}
      </CardButton>
    </>
  )
}
