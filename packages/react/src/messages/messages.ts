import type { FieldProblem } from '@holdpoint/core/forms'

/** A sentence, or a function that makes it. Names in parameters arrive escaped and isolated: put them in as they are. */
export type Sentence<P> = string | ((params: P) => string)

interface Count {
  count: number
}

/**
 * Every word that the components say. All keys are required, so that a translation that misses one does not compile.
 *
 * @example
 * const mine: Messages = { ...english, stopTask: 'Stop the assistant' }
 */
export interface Messages {
  // Headings
  loading: string
  approvalTitle: string
  inputTitle: string
  connectTitle: Sentence<Count>
  unknownTitle: string
  unknownText: string
  byline: Sentence<{ requester: string; tool: string }>

  // Approval
  riskLow: string
  riskMedium: string
  riskHigh: string
  argumentsTitle: string
  changesTitle: string
  showAll: Sentence<Count>
  showLess: string
  edit: string
  stopEditing: string
  editedArguments: string
  /** Of arguments and diffs, once the question is over. */
  askedFor: string
  askedChanges: string
  approvedArguments: string
  resetArguments: string
  editedNote: string
  invalidJson: string
  scopeLegend: string
  scopeOnce: string
  scopeSession: string
  scopeAlways: string
  addReason: string
  reason: string
  reasonGiven: string
  approve: string
  approveWithChanges: Sentence<{ label: string }>
  approveSome: Sentence<{ label: string; accepted: number; total: number }>
  allRejected: string
  deny: string
  framed: string
  pressAgain: string
  acceptChange: string
  rejectChange: string
  change: Sentence<{ index: number; total: number; path: string }>
  lineAdded: string
  lineRemoved: string

  // Form
  submit: string
  decline: string
  dismiss: string
  required: string
  choose: string
  secretNote: string
  secretSet: string
  secretNotSet: string
  yes: string
  no: string
  nothingGiven: string
  uploading: Sentence<{ name: string }>
  uploadFailed: Sentence<{ name: string }>
  removeFile: Sentence<{ name: string }>
  problemsTitle: Sentence<Count>
  /** One for each way in which a field can be wrong. */
  problems: { [Code in FieldProblem['code']]: Sentence<Record<string, string | number>> }

  // Accounts
  connect: Sentence<{ name: string }>
  reconnect: Sentence<{ name: string }>
  allowMore: Sentence<{ name: string }>
  tryAgain: Sentence<{ name: string }>
  opensHost: Sentence<{ host: string }>
  continueTo: Sentence<{ host: string }>
  connectOpening: string
  connectWaiting: Sentence<{ name: string }>
  connectBlocked: string
  connectRedirect: string
  connectDenied: Sentence<{ name: string }>
  connectWrongAccount: Sentence<{ name: string }>
  connectFailed: Sentence<{ name: string }>
  connected: string
  connectedFewer: string
  causeExpired: string
  causeScopes: string
  checking: string
  finished: string
  openAgain: string
  progress: Sentence<{ connected: number; total: number }>
  allConnected: string
  stopTask: string

  // What became of it
  submitting: string
  notSent: string
  sendAgain: string
  notAccepted: string
  disconnected: string
  /** The same, to somebody who has begun to answer. */
  disconnectedKept: string
  readOnly: string
  turnOn: string
  notAllowed: string
  deferred: string
  youApproved: Sentence<{ scope?: 'once' | 'session' | 'always'; edited: boolean }>
  youDenied: string
  youSubmitted: string
  youDeclined: string
  youDismissed: string
  running: string
  elsewhere: Sentence<{ name?: string; time?: string }>
  /** What the somebody else decided; follows `elsewhere`. */
  approvedElsewhere: string
  deniedElsewhere: string
  expired: string
  cancelled: string
  superseded: string
  failed: string
  authFailed: string

  // Time
  timeLeft: Sentence<{ time: string }>
  timeUp: string
  moreTime: string

  // Place
  popOut: string
  popIn: string
  poppedOut: string

  // Attention
  announceOne: Sentence<{ text: string }>
  announceSeveral: Sentence<Count>
  titleCount: Sentence<Count>
  inboxTitle: string
  inboxEmpty: string
  inboxOpen: string
  inboxMore: string
}

/** Fills a sentence. */
export function say<P>(sentence: Sentence<P>, params: P): string {
  return typeof sentence === 'function' ? sentence(params) : sentence
}
