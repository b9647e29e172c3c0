import { type FewMessages, fewEnglish } from './few.ts'
import type { Approval, Messages } from './messages.ts'
import { plural } from './plural.ts'

/**
 * The texts that are announced or shown outside of cards: everything that an application without our components loads.
 */
export type SpokenMessages = Pick<
  Messages,
  | 'approvalTitle'
  | 'inputTitle'
  | 'connectTitle'
  | 'connect'
  | 'unknownTitle'
  | 'allowTool'
  | 'allConnected'
  | 'authFailed'
  | 'youApproved'
  | 'youDenied'
  | 'youSubmitted'
  | 'youDeclined'
  | 'youDismissed'
  | 'running'
  | 'completed'
  | 'stopped'
  | 'theyApproved'
  | 'theyDenied'
  | 'theyAnswered'
  | 'allowedByRule'
  | 'onAnotherDevice'
  | 'expired'
  | 'cancelled'
  | 'superseded'
  | 'failed'
  | 'riskLow'
  | 'riskMedium'
  | 'riskHigh'
  | 'timeLeft'
  | 'continuesIn'
  | 'announceOne'
  | 'announceRefused'
> &
  FewMessages

function approved({ scope, edited, accepted, total }: Approval): string {
  if (accepted < total) return `${accepted} of ${total} changes`
  if (edited) return 'this with changes'
  if (scope === 'session') return 'this for this chat'
  return scope === 'always' ? 'this from now on' : 'this'
}

const spoken: Omit<SpokenMessages, keyof FewMessages> = {
  approvalTitle: 'Approval needed',
  inputTitle: 'Information needed',
  connectTitle: ({ count }) => plural('en', count, { one: 'Connect an account', other: 'Connect accounts' }),
  connect: ({ name }) => `Connect ${name}`,
  unknownTitle: 'This app version cannot show this question',
  allowTool: ({ tool }) => `Allow “${tool}”?`,
  allConnected: 'Connected. The task continues.',
  authFailed: 'The accounts were not connected. The task was stopped.',
  youApproved: (approval) => `You approved ${approved(approval)}`,
  youDenied: 'You denied this. It was not done.',
  youSubmitted: 'You answered this',
  youDeclined: 'You declined to answer',
  youDismissed: 'You dismissed this',
  running: 'Approved. Still running…',
  completed: ({ text }) => `Done: ${text}`,
  stopped: ({ text }) => `Stopped: ${text}`,
  theyApproved: ({ name = 'Another user', ...approval }) => `${name} approved ${approved(approval)}`,
  theyDenied: ({ name = 'Another user' }) => `${name} denied this. It was not done.`,
  theyAnswered: ({ name = 'Another user' }) => `${name} answered this`,
  allowedByRule: ({ label, name }) =>
    `Allowed by ${name ? `a rule of ${name}` : 'your rule'}${label ? `: ${label}` : ''}`,
  onAnotherDevice: ({ text }) => `${text} (on another device)`,
  expired: 'The time ran out without an answer. Nothing was done.',
  cancelled: 'The task was stopped. Nothing was done.',
  superseded: 'You continued without answering. Nothing was done.',
  failed: 'Your answer was saved, but the tool failed. The assistant was informed.',
  riskLow: 'Low risk',
  riskMedium: 'Medium risk',
  riskHigh: 'High risk',
  timeLeft: ({ time }) => `Answer within ${time}`,
  continuesIn: ({ time }) => `The assistant continues in ${time}. You can answer later.`,
  announceOne: ({ text }) => `A question is waiting: ${text}`,
  announceRefused: ({ text }) => `${text} Not accepted. Your answer is still here.`,
}

/** The English texts outside of cards. */
export const spokenEnglish: SpokenMessages = /* @__PURE__ */ Object.assign({}, fewEnglish, spoken)
