import { type KeyboardEvent, useMemo } from 'react'
import { useCard } from '../../card/elements/card-context.ts'
import { Part, type PartProps } from '../../card/elements/part.tsx'
import { useApproval } from '../arguments/approval-context.ts'
import type { Decision } from './change-choice.tsx'
import { DiffSummary } from './diff-summary.tsx'
import { FileChange } from './file-change.tsx'
import { foldedFiles } from './folds.ts'

/**
 * Changes to files, hunk by hunk; each can be taken or left. A file without hunks is taken or left as a whole. Alt and
 * an arrow key move between changes while the focus is in the diff.
 */
export function DiffViewer(props: PartProps) {
  const { interaction, request, over, view, slots, id } = useCard()
  const { draft, change } = useApproval()
  const files = request?.diff
  const folded = useMemo(() => foldedFiles(files ?? []), [files])
  if (!files?.length) return null
  const approved = interaction?.response?.action === 'approve'
  const decisions = (over ? interaction?.response?.diffDecisions : draft.decisions) ?? {}
  const canDecide = !over && view.canAnswer
  const decide = (id: string, decision: Decision) => change({ decisions: { ...draft.decisions, [id]: decision } })
  return (
    <Part
      slotName="diff"
      role="group"
      aria-labelledby={id('diff')}
      {...(canDecide && { onKeyDown: moveByChange, 'aria-keyshortcuts': 'Alt+ArrowDown Alt+ArrowUp' })}
      {...props}
    >
      <DiffSummary files={files} {...(canDecide && { onDecideAll: (decisions) => change({ decisions }) })} />
      {files.map((file, index) => {
        const viewer = { file, decisions, ...(canDecide && { onDecide: decide }) }
        return slots.DiffViewer ? (
          <slots.DiffViewer key={file.path} {...viewer} />
        ) : (
          <FileChange key={file.path} {...viewer} decided={!over || approved} folded={folded[index] ?? false} />
        )
      })}
    </Part>
  )
}

/** Moves the focus to the choice of the next or previous change, and opens its file. */
function moveByChange(event: KeyboardEvent<HTMLElement>): void {
  const { key, altKey, currentTarget } = event
  const step = { ArrowDown: 1, ArrowUp: -1 }[key]
  if (!step || !altKey) return
  event.preventDefault()
  const hunks = [...currentTarget.querySelectorAll<HTMLElement>('[data-slot="diff-hunk"]')]
  const here = hunks.findIndex((hunk) => hunk.contains(document.activeElement))
  const next = hunks[here + step]
  next?.closest('details')?.setAttribute('open', '')
  next?.querySelector<HTMLElement>('input:checked')?.focus()
}
