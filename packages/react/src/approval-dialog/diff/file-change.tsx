import { type DiffFile, say } from '@holdpoint/core/internal'
import type { Messages } from '@holdpoint/core/messages'
import type { ReactNode } from 'react'
import { lineCounts } from '../../base/changes.ts'
import { useCard } from '../../card/elements/card-context.ts'
import { nameText, visible } from '../../wording/escape.ts'
import { SafeText, Text } from '../../wording/text.tsx'
import { ChangeChoice, type Decision } from './change-choice.tsx'
import { DiffLines } from './diff-lines.tsx'

interface FileProps {
  file: DiffFile
  decisions: Readonly<Record<string, Decision>>
  /** False in the record of a question that was not approved: then nothing was accepted or rejected. */
  decided: boolean
  folded: boolean
  onDecide?: (id: string, decision: Decision) => void
}

/** One file: its path, its status and its changes, which can be folded. */
export function FileChange({ file, decisions, decided, folded, onDecide }: FileProps) {
  const { messages } = useCard()
  const { path, oldPath, hunks } = file
  const change = (id: string, title: ReactNode, lines?: ReactNode) => {
    const decision = decisions[id] ?? 'accept'
    return (
      <div key={id} className="hp-diff-hunk" data-slot="diff-hunk" data-decision={decision}>
        <ChangeChoice {...{ id, decision, decided, onDecide }}>{title}</ChangeChoice>
        {lines}
      </div>
    )
  }
  return (
    <details className="hp-diff-file" data-slot="diff-file" open={!folded}>
      <summary className="hp-diff-path">
        <span dir="ltr">
          <SafeText>{oldPath && oldPath !== path ? `${oldPath} → ${path}` : path}</SafeText>
        </span>
        <FileFacts file={file} />
      </summary>
      {hunks.length === 0 ? change(path, <Text>{say(messages.wholeFile, { path: nameText(path) })}</Text>) : null}
      {hunks.map((hunk, index) => {
        const label = say(messages.change, { index: index + 1, total: hunks.length, path: nameText(path) })
        const header = hunk.header ? (
          <>
            {' · '}
            <bdi dir="ltr" className="hp-hunk-header">
              {visible(hunk.header)}
            </bdi>
          </>
        ) : null
        const title = (
          <>
            <Text>{label}</Text>
            {header}
          </>
        )
        return change(hunk.id, title, <DiffLines hunk={hunk} label={label} />)
      })}
    </details>
  )
}

/** Shows the change of the file as a whole, with the number of added and removed lines. */
function FileFacts({ file }: { file: DiffFile }) {
  const { messages } = useCard()
  const status = statusText(file, messages)
  return (
    <span className="hp-file-facts">
      {status ? (
        <span className="hp-badge" data-status={file.status}>
          {status}
        </span>
      ) : null}
      <LineCount {...lineCounts(file)} />
    </span>
  )
}

/** Shows the number of added and removed lines: signs on screen, and words for screen readers. */
export function LineCount(lines: { added: number; removed: number }) {
  const { messages } = useCard()
  return lines.added + lines.removed > 0 ? (
    <span>
      <span aria-hidden="true" dir="ltr">
        +{lines.added} −{lines.removed}
      </span>
      <span className="hp-hidden">{say(messages.linesChanged, lines)}</span>
    </span>
  ) : null
}

function statusText({ status, hunks }: DiffFile, messages: Messages): string | undefined {
  const { fileAdded: added, fileDeleted: deleted, fileRenamed: renamed } = messages
  const text: Partial<Record<string, string>> = { added, deleted, renamed }
  return text[status ?? ''] ?? (hunks.length === 0 ? messages.fileBinary : undefined)
}
