import { useMemo } from 'react'
import { lineDiff } from '../../base/line-diff.ts'
import { useCard } from '../../card/elements/card-context.ts'
import { Part } from '../../card/elements/part.tsx'
import { asJson } from '../../readable/as-json.ts'
import { DiffLines } from './diff-lines.tsx'

interface Props {
  asked: unknown
  approved: unknown
}

/** Shows the requested and the approved arguments line by line. */
export function ArgsChange({ asked, approved }: Props) {
  const { messages } = useCard()
  const hunk = useMemo(
    () => ({ id: 'args', oldStart: 1, newStart: 1, lines: lineDiff(asJson(asked), asJson(approved)) }),
    [asked, approved],
  )
  return (
    <Part slotName="arguments" data-edited="true">
      <div className="hp-section-title">{messages.approvedArguments}</div>
      <div className="hp-diff-file">
        <DiffLines hunk={hunk} label={messages.approvedArguments} />
      </div>
    </Part>
  )
}
