import type { DiffFile } from '@holdpoint/core'
import { say } from '@holdpoint/core/internal'
import type { Messages } from '@holdpoint/core/messages'

import { lineCounts } from '../base/changes.ts'
import { useCard } from '../card/elements/card-context.ts'
import { Part, type PartProps } from '../card/elements/part.tsx'
import { nameText, visible } from '../wording/escape.ts'
import { SafeText, Text } from '../wording/text.tsx'
import { useApproval } from './arguments/approval-context.ts'
import { ChangeChoice, type Decision } from './change-choice.tsx'
import { DiffLines } from './diff-lines.tsx'

/** Changes to files, hunk by hunk; each can be taken or left. A file without hunks is taken or left as a whole. */
export function ApprovalDialogDiff(props: PartProps) {
  const { interaction, request, over, view, slots, messages } = useCard()
  const { draft, change } = useApproval()
  const files = request?.diff
  if (!files?.length) return null
  const approved = interaction?.response?.action === 'approve'
  const decisions = (over ? interaction?.response?.diffDecisions : draft.decisions) ?? {}
  const decide = (id: string, decision: Decision) => change({ decisions: { ...draft.decisions, [id]: decision } })
  return (
    <Part slotName="diff" {...props}>
      <div className="hp-section-title">{over ? messages.askedChanges : messages.changesTitle}</div>
      {files.map((file) => {
        const viewer = { file, decisions, ...(over || !view.canAnswer ? {} : { onDecide: decide }) }
        return slots.DiffViewer ? (
          <slots.DiffViewer key={file.path} {...viewer} />
        ) : (
          <FileChange key={file.path} {...viewer} decided={!over || approved} />
        )
      })}
    </Part>
  )
}

interface FileProps {
  file: DiffFile
  decisions: Readonly<Record<string, Decision>>
  /** False in the record of a question that was not approved: then nothing was accepted or rejected. */
  decided: boolean
  onDecide?: (id: string, decision: Decision) => void
}

function FileChange({ file, decisions, decided, onDecide }: FileProps) {
  const { messages } = useCard()
  const { path, oldPath, hunks } = file
  const shown = { decided, onDecide }
  return (
    <div className="hp-diff-file" data-slot="diff-file">
      <div className="hp-diff-path">
        <span dir="ltr">
          <SafeText>{oldPath && oldPath !== path ? `${oldPath} → ${path}` : path}</SafeText>
        </span>
        <FileFacts file={file} />
      </div>
      {hunks.length === 0 ? (
        <div className="hp-diff-hunk" data-slot="diff-hunk" data-decision={decisions[path] ?? 'accept'}>
          <ChangeChoice {...shown} id={path} decision={decisions[path] ?? 'accept'}>
            <Text>{say(messages.wholeFile, { path: nameText(path) })}</Text>
          </ChangeChoice>
        </div>
      ) : null}
      {hunks.map((hunk, index) => {
        const label = say(messages.change, { index: index + 1, total: hunks.length, path: nameText(path) })
        const decision = decisions[hunk.id] ?? 'accept'
        return (
          <div key={hunk.id} className="hp-diff-hunk" data-slot="diff-hunk" data-decision={decision}>
            <ChangeChoice {...shown} id={hunk.id} decision={decision}>
              <Text>{label}</Text>
              {hunk.header ? (
                <>
                  {' · '}
                  <bdi dir="ltr" className="hp-hunk-header">
                    {visible(hunk.header)}
                  </bdi>
                </>
              ) : null}
            </ChangeChoice>
            <DiffLines hunk={hunk} label={label} />
          </div>
        )
      })}
    </div>
  )
}

/** What happens to the file as a whole, and how many lines it gains and loses. */
function FileFacts({ file }: { file: DiffFile }) {
  const { messages } = useCard()
  const status = statusText(file, messages)
  const lines = lineCounts(file)
  return (
    <span className="hp-file-facts">
      {status ? (
        <span className="hp-badge" data-status={file.status}>
          {status}
        </span>
      ) : null}
      {lines.added + lines.removed > 0 ? (
        <span>
          <span aria-hidden="true" dir="ltr">
            +{lines.added} −{lines.removed}
          </span>
          <span className="hp-hidden">{say(messages.linesChanged, lines)}</span>
        </span>
      ) : null}
    </span>
  )
}

function statusText({ status, hunks }: DiffFile, messages: Messages): string | undefined {
  if (status === 'added') return messages.fileAdded
  if (status === 'deleted') return messages.fileDeleted
  if (status === 'renamed') return messages.fileRenamed
  return hunks.length === 0 ? messages.fileBinary : undefined
}
