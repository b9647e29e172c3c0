import type { Messages } from './messages.ts'
import { plural } from './plural.ts'

/** The texts that `useAttention` shows at once. The other spoken texts are loaded while the page is idle. */
export type CountedMessages = Pick<Messages, 'announceSeveral' | 'titleCount'>

export const countedEnglish: CountedMessages = {
  announceSeveral: ({ count }) =>
    `${count} ${plural('en', count, { one: 'question is', other: 'questions are' })} waiting`,
  titleCount: ({ count }) => `(${count})`,
}
