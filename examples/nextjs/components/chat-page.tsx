'use client'

import { HoldpointProvider } from '@holdpoint/react'
import type { UIMessage } from 'ai'
import { useRouter } from 'next/navigation'
import { integrations } from '@/lib/names.ts'
import { Conversation } from './conversation.tsx'
import { useSession } from './use-session.ts'

/** The Holdpoint session has the chat's id. */
export function ChatPage({ id, messages }: { id: string; messages: UIMessage[] }) {
  const router = useRouter()
  return (
    <HoldpointProvider
      client={useSession(id)}
      integrations={integrations}
      onChangeApprovals={() => router.push('/settings')}
    >
      <Conversation id={id} messages={messages} />
    </HoldpointProvider>
  )
}
