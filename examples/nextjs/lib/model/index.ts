import type { LanguageModel } from 'ai'
import { scriptedModel } from './scripted.ts'

/** A scripted model, unless there is a key for a real one: through the AI Gateway, with no other package. */
export const model: LanguageModel = process.env.AI_GATEWAY_API_KEY
  ? (process.env.AI_MODEL ?? 'anthropic/claude-sonnet-4.5')
  : scriptedModel
