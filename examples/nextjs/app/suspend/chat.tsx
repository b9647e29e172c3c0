'use client'

import { useChat } from '@ai-sdk/react'
import { HoldpointProvider } from '@holdpoint/react'
import { HoldpointPart, useHoldpointChat } from '@holdpoint/react/ai-sdk'
import { DefaultChatTransport } from 'ai'
import { SimpleChat } from '@/components/simple-chat.tsx'
import { useSession } from '@/components/use-session.ts'
import { integrations } from '@/lib/names.ts'

const transport = new DefaultChatTransport({ api: '/api/suspend' })

export function Chat({ id }: { id: string }) {
  return (
    <HoldpointProvider client={useSession(id)} integrations={integrations}>
      <Conversation id={id} />
    </HoldpointProvider>
  )
}

function Conversation({ id }: { id: string }) {
  const chat = useHoldpointChat(useChat({ id, transport }))
  return <SimpleChat chat={chat}>{(part, message) => <HoldpointPart part={part} message={message} />}</SimpleChat>
}
