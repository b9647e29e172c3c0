import { type DiffFile, say } from '@holdpoint/core/internal'
import { changeIds, lineCounts } from '../../base/changes.ts'
import { CardButton } from '../../card/elements/button.tsx'
import { useCard } from '../../card/elements/card-context.ts'
import { useApproval } from '../arguments/approval-context.ts'
import type { Decision } from './change-choice.tsx'
import { LineCount } from './file-change.tsx'

interface Props {
  files: readonly DiffFile[]
  onDecideAll?: (decisions: Readonly<Record<string, Decision>>) => void
}

/** Shows how many changes there are and how many are accepted, and a choice for all of them. */
export function DiffSummary({ files, onDecideAll }: Props) {
  const { over, id, messages, announcer } = useCard()
  const { accepted, hunks: total } = useApproval()
  const counts = files.map(lineCounts)
  const sum = (sign: 'added' | 'removed') => counts.reduce((all, each) => all + each[sign], 0)
  const all = (slotName: 'accept-all' | 'reject-all', decision: Decision, count: number) => (
    <CardButton
      slotName={slotName}
      variant="quiet"
      blocked={accepted === count}
      onPress={() => {
        onDecideAll?.(Object.fromEntries(changeIds(files).map((one) => [one, decision])))
        announcer?.announce(say(messages.acceptedOf, { accepted: count, total }))
      }}
    >
      {decision === 'accept' ? messages.acceptAll : messages.rejectAll}
    </CardButton>
  )
  return (
    <div className="hp-section-title">
      <span id={id('diff')}>{over ? messages.askedChanges : messages.changesTitle}</span>
      {files.length > 1 ? (
        <span className="hp-file-facts" data-slot="diff-summary">
          <span>{say(messages.filesChanged, { count: files.length })}</span>
          <LineCount added={sum('added')} removed={sum('removed')} />
        </span>
      ) : null}
      {onDecideAll && total > 1 ? (
        <span className="hp-section-actions">
          {accepted < total ? <span>{say(messages.acceptedOf, { accepted, total })}</span> : null}
          {all('reject-all', 'reject', 0)}
          {all('accept-all', 'accept', total)}
        </span>
      ) : null}
    </div>
  )
}
