import type { Messages } from '@holdpoint/core/messages'
import { languageOf } from '../../answer-page/markup/language.ts'
import { type MessageSentences, sentencesIn } from '../sentences.ts'

/** The texts of one reader. */
export interface ChatLanguage {
  messages: Messages
  say: MessageSentences
}

export function chatLanguage(tag = 'en'): ChatLanguage {
  const { locale, messages } = languageOf(tag)
  return { messages, say: sentencesIn(locale) }
}
