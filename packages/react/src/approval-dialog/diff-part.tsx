import { onDemand, useOnDemand } from '../base/on-demand.ts'
import { useCard } from '../card/elements/card-context.ts'
import { CodeBlock } from '../card/elements/code-block.tsx'
import { Part, type PartProps } from '../card/elements/part.tsx'
import { SafeText } from '../wording/text.tsx'

/** Tables of changed lines, with a choice for each change. */
export const diffViewer = /* @__PURE__ */ onDemand(() => import('./diff/viewer.ts'))

/**
 * Changes to files, hunk by hunk; each can be taken or left. A file without hunks is taken or left as a whole. Until the
 * viewer is loaded, and if it cannot be loaded, the card shows the same changes as text, which are taken as a whole.
 */
export function ApprovalDialogDiff(props: PartProps) {
  return useCard().request?.diff?.length ? <Changes {...props} /> : null
}

function Changes(props: PartProps) {
  const { part } = useOnDemand(diffViewer)
  return part ? <part.DiffViewer {...props} /> : <ChangesAsText {...props} />
}

function ChangesAsText(props: PartProps) {
  const { request, over, id, messages } = useCard()
  const { fileAdded: added, fileDeleted: deleted, fileRenamed: renamed } = messages
  const statuses: Partial<Record<string, string>> = { added, deleted, renamed }
  return (
    <Part slotName="diff" role="group" aria-labelledby={id('diff')} {...props}>
      <div className="hp-section-title" id={id('diff')}>
        {over ? messages.askedChanges : messages.changesTitle}
      </div>
      {request?.diff?.map(({ path, oldPath, status, hunks }) => (
        <div key={path} className="hp-diff-file" data-slot="diff-file">
          <div className="hp-diff-path">
            <span dir="ltr">
              <SafeText>{oldPath && oldPath !== path ? `${oldPath} → ${path}` : path}</SafeText>
            </span>
            <span>{statuses[status ?? ''] ?? (hunks.length === 0 ? messages.fileBinary : null)}</span>
          </div>
          {hunks.length > 0 ? <CodeBlock text={hunks.flatMap(({ lines }) => lines).join('\n')} /> : null}
        </div>
      ))}
    </Part>
  )
}
