import type { DiffFile, DiffHunk } from '@holdpoint/core/protocol'
import { useCard } from '../card/card-context.ts'
import { Part, type PartProps } from '../card/part.tsx'
import { say } from '../messages/messages.ts'
import { nameText, visible } from '../shared/escape.ts'
import { SafeText, Text } from '../shared/text.tsx'
import { useApproval } from './approval-context.ts'
import { DiffLines } from './diff-lines.tsx'

type Decision = 'accept' | 'reject'

/** Changes to files, hunk by hunk; each can be taken or left. */
export function ApprovalDialogDiff(props: PartProps) {
  const { interaction, request, over, view, slots, messages } = useCard()
  const { draft, change } = useApproval()
  const files = request?.diff
  if (!files?.length) return null
  const decisions = (over ? interaction?.response?.diffDecisions : draft.decisions) ?? {}
  const decide = (hunkId: string, decision: Decision) =>
    change({ decisions: { ...draft.decisions, [hunkId]: decision } })
  return (
    <Part slotName="diff" {...props}>
      <div className="hp-section-title">{over ? messages.askedChanges : messages.changesTitle}</div>
      {files.map((file) => {
        const viewer = { file, decisions, ...(over || !view.canAnswer ? {} : { onDecide: decide }) }
        return slots.DiffViewer ? (
          <slots.DiffViewer key={file.path} {...viewer} />
        ) : (
          <FileChange key={file.path} {...viewer} />
        )
      })}
    </Part>
  )
}

interface FileProps {
  file: DiffFile
  decisions: Readonly<Record<string, Decision>>
  onDecide?: (hunkId: string, decision: Decision) => void
}

function FileChange({ file, decisions, onDecide }: FileProps) {
  const { messages } = useCard()
  return (
    <div className="hp-diff-file" data-slot="diff-file">
      <div className="hp-diff-path" dir="ltr">
        <SafeText>{file.oldPath && file.oldPath !== file.path ? `${file.oldPath} → ${file.path}` : file.path}</SafeText>
      </div>
      {file.hunks.map((hunk, index) => {
        const label = say(messages.change, { index: index + 1, total: file.hunks.length, path: nameText(file.path) })
        return (
          <div
            key={hunk.id}
            className="hp-diff-hunk"
            data-slot="diff-hunk"
            data-decision={decisions[hunk.id] ?? 'accept'}
          >
            <Choice hunk={hunk} label={label} decision={decisions[hunk.id] ?? 'accept'} onDecide={onDecide} />
            <DiffLines hunk={hunk} label={label} />
          </div>
        )
      })}
    </div>
  )
}

interface ChoiceProps {
  hunk: DiffHunk
  label: string
  decision: Decision
  onDecide: FileProps['onDecide'] | undefined
}

/** Two radio buttons: what is chosen is said, with arrows to change it, and one stop for the tab key. */
function Choice({ hunk, label, decision, onDecide }: ChoiceProps) {
  const { id, messages } = useCard()
  const name = id(`hunk-${hunk.id}`)
  const option = (value: Decision, text: string) => (
    <label className="hp-choice" data-checked={decision === value || undefined}>
      <input
        type="radio"
        name={name}
        checked={decision === value}
        disabled={!onDecide}
        onChange={() => onDecide?.(hunk.id, value)}
      />
      {text}
    </label>
  )
  return (
    <fieldset className="hp-diff-choice" data-slot="diff-choice">
      <legend className="hp-hunk-title">
        <Text>{label}</Text>
        {hunk.header ? (
          <>
            {' · '}
            <bdi dir="ltr" className="hp-hunk-header">
              {visible(hunk.header)}
            </bdi>
          </>
        ) : null}
      </legend>
      {option('accept', messages.acceptChange)}
      {option('reject', messages.rejectChange)}
    </fieldset>
  )
}
