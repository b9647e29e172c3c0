import type { Messages } from './messages.ts'
import { plural } from './plural.ts'

/** What is said aloud or shown outside of cards: all the words that an application without our components loads. */
export type SpokenMessages = Pick<
  Messages,
  | 'approvalTitle'
  | 'inputTitle'
  | 'connectTitle'
  | 'unknownTitle'
  | 'allConnected'
  | 'authFailed'
  | 'youApproved'
  | 'youDenied'
  | 'youSubmitted'
  | 'youDeclined'
  | 'youDismissed'
  | 'running'
  | 'elsewhere'
  | 'approvedElsewhere'
  | 'deniedElsewhere'
  | 'expired'
  | 'cancelled'
  | 'superseded'
  | 'failed'
  | 'announceOne'
  | 'announceSeveral'
  | 'titleCount'
>

const questions = (count: number) =>
  `${count} ${plural('en', count, { one: 'question is', other: 'questions are' })} waiting`

export const spokenEnglish: SpokenMessages = {
  approvalTitle: 'Approval needed',
  inputTitle: 'Information needed',
  connectTitle: ({ count }) => plural('en', count, { one: 'Connect an account', other: 'Connect accounts' }),
  unknownTitle: 'Question of a kind that this version does not know',
  allConnected: 'Connected. The task goes on.',
  authFailed: 'The accounts were not connected. The task was stopped.',
  youApproved: ({ scope, edited }) => {
    if (edited) return 'You approved this with changes'
    if (scope === 'session') return 'You approved this for this chat'
    return scope === 'always' ? 'You approved this for always' : 'You approved this'
  },
  youDenied: 'You denied this. It was not done.',
  youSubmitted: 'You answered this',
  youDeclined: 'You declined to answer',
  youDismissed: 'You dismissed this',
  running: 'Approved. Still running…',
  elsewhere: ({ name, time }) =>
    `${name ? `${name} answered this` : 'Answered'} on another device${time ? ` · ${time}` : ''}`,
  approvedElsewhere: 'Approved',
  deniedElsewhere: 'Denied',
  expired: 'Nobody answered in time. Nothing was done.',
  cancelled: 'The task was stopped. Nothing was done.',
  superseded: 'Replaced by a newer question.',
  failed: 'Your answer was saved, but the tool failed. The assistant has been told.',
  announceOne: ({ text }) => `A question is waiting: ${text}`,
  announceSeveral: ({ count }) => questions(count),
  titleCount: ({ count }) => `(${count})`,
}
