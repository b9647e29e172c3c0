import { type Interaction, type SessionState, selectToolCall } from '@holdpoint/core'
import { useMemo } from 'react'
import { useHoldpointClient } from '../hooks/use-client.ts'
import { useTopic } from '../hooks/use-topic.ts'
import { InteractionView, type InteractionViewProps } from './interaction-view.tsx'

/** The tool call, and the props of the cards of its questions. */
export interface ToolInteractionProps extends Omit<InteractionViewProps, 'interaction'> {
  toolCallId: string
  /** The run of the call, if several runs used the same tool call id. */
  runId?: string
}

/**
 * Shows the questions of one tool call, in the call's place in the chat: ended ones as lines, the open one as a card.
 * Renders nothing while the call has not asked anything.
 *
 * @example <ToolInteraction toolCallId={part.toolCallId} />
 */
export function ToolInteraction({ toolCallId, runId, ...props }: ToolInteractionProps) {
  const client = useHoldpointClient()
  const read = useMemo(() => surfacesOf(toolCallId, runId), [toolCallId, runId])
  const surfaces = useTopic(client, `call:${toolCallId}`, read) ?? none
  return surfaces.map((id) => <Surface key={id} firstId={id} toolCallId={toolCallId} {...props} />)
}

/** Keeps one card for all prompts that repeat a question, so that focus and draft stay. */
function Surface({ firstId, toolCallId, ...props }: Omit<ToolInteractionProps, 'runId'> & { firstId: string }) {
  const client = useHoldpointClient()
  const lastId = useTopic(client, `call:${toolCallId}`, (state) => last(state, firstId))
  const interaction = useTopic(client, `interaction:${lastId ?? firstId}`, (state) =>
    state.interactions.get(lastId ?? firstId),
  )
  return <InteractionView {...props} interaction={interaction} />
}

const none: readonly string[] = []

function surfacesOf(toolCallId: string, runId: string | undefined) {
  let found: readonly string[] = none
  return (state: SessionState): readonly string[] => {
    const ids = selectToolCall(state, toolCallId, runId)?.interactionIds ?? none
    const next = ids.filter((id) => {
      const interaction = state.interactions.get(id)
      return interaction && !interaction.replaces && (!runId || interaction.runId === runId)
    })
    if (next.join('\n') !== found.join('\n')) found = next
    return found
  }
}

function last(state: SessionState, firstId: string): string {
  let id = firstId
  const seen = new Set<string>()
  for (let next: Interaction | undefined = state.interactions.get(id); next?.replacedBy && !seen.has(id); ) {
    seen.add(id)
    id = next.replacedBy
    next = state.interactions.get(id)
  }
  return id
}
