/** The English texts that are announced outside of cards. They are apart from `internal-words`, because a page loads them later. */
export { spokenEnglish } from './messages/spoken.ts'
