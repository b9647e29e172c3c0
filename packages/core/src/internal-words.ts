/**
 * Exports that name and announce questions. They are apart from `internal`, because bundlers load all of an import path that a page
 * and one of its later parts have in common.
 */
export { cardViewOf } from './machine/state/view.ts'
export { fewEnglish } from './messages/few.ts'
export { deadlineText, say } from './messages/messages.ts'
export { roundUp, SHOWN_BELOW_MS } from './text/duration.ts'
