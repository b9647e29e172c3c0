import type { Messages } from '@holdpoint/core/messages'
import { languageOf } from '../answer-page/markup/language.ts'
import { type MessageSentences, sentencesIn } from './sentences.ts'

/** The texts of one reader. */
export interface MessageLanguage {
  locale: string
  messages: Messages
  say: MessageSentences
}

/** Returns the texts for a language tag, such as the `locale` of a Slack user. An unknown language is English. */
export function messageLanguage(tag = 'en'): MessageLanguage {
  const { locale, messages } = languageOf(tag)
  return { locale, messages, say: sentencesIn(locale) }
}
