/** The words of ids. They are apart from `internal-words`, because a page loads them later. */
export { integrationWords, toolWords } from './text/names.ts'
