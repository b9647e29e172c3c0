import { escapeInvisible, say } from '@holdpoint/core/internal'
import { integrationWords, toolWords } from '@holdpoint/core/internal/names'
import type { Messages } from '@holdpoint/core/messages'
import type { InteractionRecord } from '../engine/api/interactions.ts'

/** Returns the id of a tool as words: `delete_files` → `Delete files`. */
export const toolLabel = (toolName: string): string => escapeInvisible(toolWords(toolName))

/** Returns the id of an account as a name: `google-calendar` → `Google Calendar`. */
export const integrationLabel = (integration: string): string => escapeInvisible(integrationWords(integration))

type TitleMessages = Pick<Messages, 'approvalTitle' | 'inputTitle' | 'connectTitle' | 'allowTool'>

/** Returns the kind of an interaction: the host's title, else ours. */
export function kindTitle({ request, kind }: InteractionRecord, messages: Omit<TitleMessages, 'allowTool'>): string {
  if (request.type === 'auth_needed') return say(messages.connectTitle, { count: request.integrations.length })
  const title = request.labels?.title
  if (title) return escapeInvisible(title)
  return kind === 'approval' ? messages.approvalTitle : messages.inputTitle
}

/**
 * Returns the question as the heading of a page or a message. An approval without a prompt asks whether its tool may run,
 * as its card does. The prompt is not escaped.
 */
export function questionHeading(record: InteractionRecord, messages: TitleMessages): string {
  const { request, kind, toolName } = record
  const prompt = request.type === 'interaction_request' ? request.prompt : request.reason
  if (prompt) return prompt
  const titled = request.type === 'interaction_request' && request.labels?.title
  return kind === 'approval' && !titled
    ? say(messages.allowTool, { tool: toolLabel(toolName) })
    : kindTitle(record, messages)
}
