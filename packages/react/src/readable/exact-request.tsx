import { useCopy } from '../card/behavior/use-copy.ts'
import { CardButton } from '../card/elements/button.tsx'
import { useCard } from '../card/elements/card-context.ts'
import { CodeBlock } from '../card/elements/code-block.tsx'

/** The JSON that will run, and a button that copies exactly that. */
export function ExactRequest({ args }: { args: unknown }) {
  const { messages } = useCard()
  const text = JSON.stringify(args, null, 2)
  // Without a permission to copy, the person can select the text, which is shown in full.
  const { copied, copy } = useCopy(text)
  return (
    <>
      <CodeBlock text={text} />
      <CardButton slotName="copy" variant="quiet" onPress={copy}>
        {copied ? messages.copied : messages.copy}
      </CardButton>
    </>
  )
}
