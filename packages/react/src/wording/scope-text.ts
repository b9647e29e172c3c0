import { type InteractionRequestEvent, say } from '@holdpoint/core/internal'
import type { Messages } from '@holdpoint/core/messages'

import { visible } from './escape.ts'

type ScopeMessages = Pick<
  Messages,
  'scopeOnce' | 'scopeFor' | 'scopeForTool' | 'scopeSession' | 'scopeAlways' | 'scopeSessionPlain' | 'scopeAlwaysPlain'
>

/** Returns the extent of an approval: in the host's words, else in words for the key that the server compares. */
export function scopeText(
  scope: string,
  request: InteractionRequestEvent,
  toolName: string,
  messages: ScopeMessages,
): string {
  if (scope === 'once') return messages.scopeOnce
  if (scope !== 'session' && scope !== 'always') return visible(scope)
  const { approvalCovers, approvalLabel, labels } = request
  if (approvalLabel) return say(messages.scopeFor, { scope, what: visible(approvalLabel) })
  if (approvalCovers === 'tool') return say(messages.scopeForTool, { scope, tool: visible(labels?.title ?? toolName) })
  const [session, always] = approvalCovers
    ? [messages.scopeSession, messages.scopeAlways]
    : [messages.scopeSessionPlain, messages.scopeAlwaysPlain]
  return scope === 'session' ? session : always
}
