import { escapeInvisible, say } from '@holdpoint/core/internal'
import type { Messages } from '@holdpoint/core/messages'
import type { InteractionRecord } from '../engine/api/interactions.ts'

type TitleMessages = Pick<Messages, 'approvalTitle' | 'inputTitle' | 'connectTitle' | 'allowTool' | 'connect'>

/** Returns the kind of an interaction: the host's title, else ours. */
export function kindTitle(
  { request, kind }: InteractionRecord,
  messages: Omit<TitleMessages, 'allowTool' | 'connect'>,
): string {
  if (request.type === 'auth_needed') return say(messages.connectTitle, { count: request.integrations.length })
  const title = request.labels?.title
  if (title) return escapeInvisible(title)
  return kind === 'approval' ? messages.approvalTitle : messages.inputTitle
}

/**
 * Returns the question as the heading of a page or a message. Without a prompt an approval asks whether its tool may run,
 * and a request for one account names it, as their cards do. The prompt is not escaped.
 */
export function questionHeading(record: InteractionRecord, messages: TitleMessages): string {
  const { request, kind, names } = record
  if (request.type === 'auth_needed') {
    const [only, ...others] = request.integrations
    return only === undefined || others.length > 0
      ? kindTitle(record, messages)
      : say(messages.connect, { name: names.integrations[only] ?? only })
  }
  if (request.prompt) return request.prompt
  return kind === 'approval' && !request.labels?.title
    ? say(messages.allowTool, { tool: names.tool })
    : kindTitle(record, messages)
}
