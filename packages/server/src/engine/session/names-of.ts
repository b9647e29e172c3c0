import { escapeInvisible } from '@holdpoint/core/internal'
import { integrationWords, toolWords } from '@holdpoint/core/internal/names'
import type { InteractionRecord } from '../api/interactions.ts'
import type { NameOptions } from '../api/options.ts'
import type { QuestionRow } from '../state/rows.ts'

/** Returns the names that people read in a question: those of the app, or the words of the ids. */
export function namesOf(
  { toolName, request }: Pick<QuestionRow, 'toolName' | 'request'>,
  { tools, integrations }: NameOptions = {},
): InteractionRecord['names'] {
  const asked = request.type === 'auth_needed' ? request.integrations : []
  return {
    tool: nameIn(tools, toolName) ?? escapeInvisible(toolWords(toolName)),
    integrations: Object.fromEntries(
      asked.map((id) => [id, nameIn(integrations, id) ?? escapeInvisible(integrationWords(id))]),
    ),
  }
}

/** An id such as `constructor` is a name of the object's prototype, so only own properties count. */
const nameIn = (names: NameOptions['tools'] = {}, id: string) =>
  Object.hasOwn(names, id) ? escapeInvisible(names[id]?.name ?? '') : undefined
