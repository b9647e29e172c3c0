import { useCard } from '../../card/elements/card-context.ts'
import { ExactRequest } from '../../readable/exact-request.tsx'
import { ReadableArguments } from '../../readable/readable-arguments.tsx'
import { infoOf } from '../../wording/names.ts'

/**
 * Shows arguments as their JSON, as the preview of their tool, or as rows. With `before` they were edited: they are shown
 * as rows, with each change marked.
 */
export function ArgumentsContent({ args, before, exact }: { args: unknown; before?: unknown; exact: boolean }) {
  const { interaction, renderers } = useCard()
  const isChanged = before !== undefined
  const Preview = isChanged ? undefined : infoOf(renderers, interaction?.toolName ?? '')
  const rows = (some: unknown) => <ReadableArguments args={some} {...(isChanged && { before })} />
  if (exact) return <ExactRequest args={args} />
  return Preview ? <Preview args={args} rows={rows} /> : rows(args)
}
