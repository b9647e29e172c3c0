import { useState } from 'react'
import { ApprovalDialog } from '../../approval-dialog/approval-dialog.tsx'
import { approval } from '../../testing/interactions.ts'
import { parseToolCall } from './parse-tool-call.ts'
import '../showcase.css'

const example = JSON.stringify(
  {
    name: 'send_invoice',
    arguments: {
      to: 'grace@example.com',
      amount_cents: 1249900,
      currency: 'EUR',
      due_date: '2026-03-15',
      lines: ['Printing, 2,000 pieces', 'Delivery'],
      message: 'Dear Grace,\n\nplease find the invoice attached.',
    },
  },
  null,
  2,
)

/** Paste a tool call of your own model, and see the card that a person gets. */
export function PasteCall() {
  const [text, setText] = useState(example)
  const parsed = parseToolCall(text)
  return (
    <main className="play paste-page">
      <div>
        <label className="paste" lang="en" dir="ltr">
          <span>A tool call, as your model or framework writes it</span>
          <textarea
            rows={18}
            value={text}
            spellCheck={false}
            onChange={({ currentTarget }) => setText(currentTarget.value)}
          />
        </label>
        <p role="status" lang="en">
          {typeof parsed === 'string' ? parsed : `Tool: ${parsed.toolName}`}
        </p>
      </div>
      {typeof parsed !== 'string' && (
        <div>
          <ApprovalDialog
            interaction={approval({
              interactionId: 'pasted',
              toolName: parsed.toolName,
              request: {
                prompt: undefined,
                labels: undefined,
                requester: undefined,
                args: parsed.args,
                editable: true,
              },
            })}
          />
        </div>
      )}
    </main>
  )
}
