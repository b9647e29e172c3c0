'use client'

import { useInteractions, useToolCall } from '@holdpoint/react'
import { HoldpointPart } from '@holdpoint/react/ai-sdk'
import { getToolName, type UIMessage } from 'ai'
import { type CallState, stateOf, type ToolPart, words } from './call-state.ts'

/** One line for the call, its questions in place, and what it logged. */
export function ToolCall({ part, message }: { part: ToolPart; message: UIMessage }) {
  const call = useToolCall(part.toolCallId)
  const questions = useInteractions().filter(({ toolCallId }) => toolCallId === part.toolCallId)
  const state = stateOf(part, call, questions)
  return (
    <section className="call" data-state={state}>
      <div className="call-line">
        <Mark state={state} />
        <span className="call-title">{part.title ?? getToolName(part)}</span>
        <code>{getToolName(part)}</code>
        <span className="call-state">{words[state]}</span>
      </div>
      <HoldpointPart part={part} message={message} />
      {call && call.logs.length > 0 && (
        <details>
          <summary>Log ({call.logs.length})</summary>
          <pre>{call.logs.join('\n')}</pre>
        </details>
      )}
    </section>
  )
}

const marks: Readonly<Record<CallState, string>> = {
  running: 'M10 3a7 7 0 1 1-7 7',
  asking: 'M7.5 6v8M12.5 6v8',
  later: 'M10 5v5l3 2',
  done: 'M5 10.5l3.5 3.5L15 7',
  refused: 'M5 10h10',
  stopped: 'M6 6h8v8H6z',
  failed: 'M6 6l8 8M14 6l-8 8',
}

function Mark({ state }: { state: CallState }) {
  return (
    <svg className="mark" viewBox="0 0 20 20" width="16" height="16" aria-hidden>
      <path d={marks[state]} fill="none" stroke="currentColor" strokeWidth="2" strokeLinecap="round" />
    </svg>
  )
}
