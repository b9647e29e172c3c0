'use client'

import { useChat } from '@ai-sdk/react'
import { DefaultChatTransport, isToolUIPart, lastAssistantMessageIsCompleteWithApprovalResponses } from 'ai'
import { PlainApproval } from '@/components/plain-approval.tsx'
import { SimpleChat } from '@/components/simple-chat.tsx'

const transport = new DefaultChatTransport({ api: '/api/plain' })

export function Chat({ id }: { id: string }) {
  const chat = useChat({
    id,
    transport,
    sendAutomaticallyWhen: lastAssistantMessageIsCompleteWithApprovalResponses,
  })
  return (
    <SimpleChat chat={chat}>
      {(part) =>
        isToolUIPart(part) && <PlainApproval part={part} onAnswer={(answer) => chat.addToolApprovalResponse(answer)} />
      }
    </SimpleChat>
  )
}
