import type { Messages } from './messages.ts'
import { plural } from './plural.ts'

/** The texts of the first bundle: those of `useAttention`, and of a card that is not loaded. All others are loaded later. */
export type FewMessages = Pick<Messages, 'announceSeveral' | 'titleCount' | 'loading' | 'partFailed' | 'tryNow'>

export const fewEnglish: FewMessages = {
  announceSeveral: ({ count }) =>
    `${count} ${plural('en', count, { one: 'question is', other: 'questions are' })} waiting`,
  titleCount: ({ count }) => `(${count})`,
  loading: 'Loading the question…',
  partFailed: 'This part was not loaded. Try again, or reload the page.',
  tryNow: 'Try now',
}
