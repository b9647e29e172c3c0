import { plural as pluralOf, english as texts } from '@holdpoint/core/messages'

/**
 * The English texts, which cards use when the provider gets no `messages`. Spread them to change a few.
 *
 * @example
 * const messages: Messages = { ...english, stopTask: 'Stop the assistant' }
 */
export const english = texts

/** Selects a plural form. */
export const plural = pluralOf
