import { createHoldpointClient, type HoldpointClient } from '@holdpoint/core'
import { memoryTransport } from '@holdpoint/core/testing'
import { useState } from 'react'
import { useAttention } from '../attention/use-attention.ts'
import { ToolInteraction } from '../interaction-view/tool-interaction.tsx'
import { useSettings } from '../settings/context.ts'
import { approval, connect, diff, form } from '../testing/interactions.ts'
import { scriptedServer } from '../testing/scripted-server.ts'
import { StoryFrame, storyClock } from '../testing/story-frame.tsx'

const questions = [
  connect({ interactionId: 'connect', toolCallId: 'connect', request: { integrations: ['slack', 'gmail'] } }),
  form({ interactionId: 'form', toolCallId: 'form' }),
  approval({
    interactionId: 'delete',
    toolCallId: 'delete',
    request: { approvalScopes: ['once', 'session', 'always'], editable: true },
  }),
  approval({
    interactionId: 'edit',
    toolCallId: 'edit',
    toolName: 'edit_files',
    request: { prompt: 'Apply these changes?', labels: { approve: 'Apply', deny: 'Discard' }, args: undefined, diff },
  }),
]

const said: Readonly<Record<string, string>> = {
  connect: 'I can post the summary as soon as I may use these accounts.',
  form: 'Then I will send the report.',
  delete: 'Some drafts look abandoned.',
  edit: 'The invoice total ignores tax. I prepared a fix.',
}

/** A session of its own, with a server in the page: it refuses one address, to show what asking again looks like. */
export function createChat(): { client: HoldpointClient; server: ReturnType<typeof scriptedServer> } {
  const server = scriptedServer({
    events: questions.map(({ request }) => request),
    onAnswer(message, emit) {
      if (message.interactionId !== 'form' || message.input?.email !== 'ada@exmaple.com') return undefined
      const [, { request }] = questions as [unknown, (typeof questions)[number]]
      emit({
        ...request,
        interactionId: 'form-2',
        replaces: 'form',
        attempt: 2,
        error: 'No mail server answers there.',
        initialValues: message.input,
        fieldErrors: { email: ['No mail server answers at exmaple.com.'] },
      })
      return undefined
    },
  })
  const client = createHoldpointClient({
    sessionId: 'session-1',
    clientId: 'this-tab',
    transport: memoryTransport(server),
    environment: { now: storyClock.now },
  })
  return { client, server }
}

/** A conversation as an application would draw it, with its questions in their places. */
export function Chat() {
  const [{ client }] = useState(createChat)
  const { messages, locale } = useSettings()
  return (
    <StoryFrame client={client} locale={locale} {...(messages ? { messages } : {})}>
      <Conversation />
    </StoryFrame>
  )
}

function Conversation() {
  const { text, jumpToNext } = useAttention({ title: false, badge: false })
  return (
    <main className="chat">
      {questions.map(({ toolCallId }) => (
        <section key={toolCallId} className="chat-message">
          <p dir="auto">{said[toolCallId]}</p>
          <ToolInteraction toolCallId={toolCallId} />
        </section>
      ))}
      <footer className="chat-composer">
        <button type="button" onClick={jumpToNext} disabled={!text}>
          {text || 'Nothing is waiting'}
        </button>
        <textarea rows={2} aria-label="Message" placeholder="Message" />
      </footer>
    </main>
  )
}
