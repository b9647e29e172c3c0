'use client'

import type { ToolPart } from './call-state.ts'

interface PlainApprovalProps {
  part: ToolPart
  onAnswer(answer: { id: string; approved: boolean }): void
}

/** The approval that an app of the AI SDK renders itself. */
export function PlainApproval({ part, onAnswer }: PlainApprovalProps) {
  if (part.state !== 'approval-requested') return null
  const { id } = part.approval
  return (
    <div className="plain-approval">
      <pre>{JSON.stringify(part.input, null, 2)}</pre>
      <div className="row">
        <button type="button" className="button" onClick={() => onAnswer({ id, approved: false })}>
          Deny
        </button>
        <button type="button" className="button primary" onClick={() => onAnswer({ id, approved: true })}>
          Approve
        </button>
      </div>
    </div>
  )
}
