import { useMemo } from 'react'
import { lineDiff } from '../../base/line-diff.ts'
import type { DiffKit } from '../arguments/diff-kit.ts'
import { DiffLines } from './diff-lines.tsx'
import { KitProvider, useKit } from './kit.ts'

interface Props {
  asked: unknown
  approved: unknown
}

/** Shows the requested and the approved arguments line by line. */
export function ArgsChange({ kit, ...props }: Props & { kit: DiffKit }) {
  return (
    <KitProvider value={kit}>
      <Change {...props} />
    </KitProvider>
  )
}

function Change({ asked, approved }: Props) {
  const { Part, asJson, card } = useKit()
  const { messages } = card
  const hunk = useMemo(
    () => ({ id: 'args', oldStart: 1, newStart: 1, lines: lineDiff(asJson(asked), asJson(approved)) }),
    [asked, approved, asJson],
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
