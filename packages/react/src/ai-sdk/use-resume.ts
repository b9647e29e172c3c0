import type { UseChatHelpers } from '@ai-sdk/react'
import type { ChatRequestOptions, UIMessage } from 'ai'
import { type RefObject, useEffect, useRef } from 'react'
import { useLatest } from '../base/use-latest.ts'
import { useConnectionState } from '../hooks/use-connection-state.ts'
import { useSettings } from '../settings/context.ts'
import { lastStepOf, readyToResume } from './last-step.ts'

/** How often one set of answers is sent if the connection to the server breaks while it handles them. */
const TRIES = 3
/**
 * The chat's state may be newer than the rendered one. A request that the chat sends itself is visible within this
 * time.
 */
const SETTLE_MS = 50

/**
 * Sends the request that continues the chat, once for each set of answers. A response that does not change its step
 * causes no further request. After a broken connection the request is sent again when the client has reconnected.
 */
export function useResume<Message extends UIMessage>(
  { messages, status, sendMessage }: UseChatHelpers<Message>,
  requestOptions: RefObject<ChatRequestOptions | undefined>,
): void {
  const { clock } = useSettings()
  const connection = useConnectionState().status
  const send = useLatest(sendMessage)
  const sent = useRef({ key: '', tries: 0, broken: false })
  useEffect(() => {
    if (connection !== 'open') sent.current.broken = true
    const step = lastStepOf(messages)
    const key = step && readyToResume(step)
    if (!key) return
    const before = sent.current.key === key ? sent.current : { key, tries: 0, broken: false }
    const note = () => {
      sent.current = { key, tries: before.tries + 1, broken: false }
    }
    if (status === 'submitted' || status === 'streaming') {
      // The request was sent elsewhere: by a `sendAutomaticallyWhen`, or by a button of the page.
      if (before.tries === 0) note()
      return
    }
    const again = status === 'error' && before.broken && connection === 'open' && before.tries < TRIES
    if (before.tries > 0 && !again) return
    const timer = clock.setTimeout(() => {
      note()
      void send()(undefined, requestOptions.current)
    }, SETTLE_MS)
    return () => clock.clearTimeout(timer)
  }, [messages, status, connection, clock, send, requestOptions])
}
