import type { UIMessage } from 'ai'

/**
 * The messages with what the person left unanswered as declined. The SDK alone would drop such a call, and the model
 * would never learn that it had asked.
 */
export function declinedIn(messages: readonly UIMessage[]): UIMessage[] {
  const latest = messages.findLastIndex(({ role }) => role === 'user')
  return messages.map((message, index) => {
    if (index >= latest || message.role !== 'assistant') return message
    return { ...message, parts: message.parts.map((part) => (waits(part) ? declined(part) : part)) }
  })
}

type Part = UIMessage['parts'][number]
type WaitingPart = Extract<Part, { state: 'approval-requested' }>

function waits(part: Part): part is WaitingPart {
  return 'toolCallId' in part && part.state === 'approval-requested'
}

function declined({ approval, ...part }: WaitingPart): Part {
  const reason = 'The person went on without answering. Nothing was done.'
  return { ...part, state: 'output-denied', approval: { ...approval, approved: false, reason } }
}
