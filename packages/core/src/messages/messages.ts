import type { FieldProblem } from '../forms/fields/types.ts'
import { durationText, SHOWN_BELOW_MS } from '../text/duration.ts'
import type { PageMessages } from './pages/messages.ts'

/**
 * A sentence, or a function that returns it. Names in parameters are escaped and isolated already: insert them
 * unchanged.
 */
export type Sentence<P> = string | ((params: P) => string)

interface Count {
  count: number
}

/** The content of an approval. `accepted` of `total` changes; both are 0 if there was no diff. */
export interface Approval {
  scope?: 'once' | 'session' | 'always'
  edited: boolean
  accepted: number
  total: number
}

/**
 * All texts of the components. All keys are required, so that an incomplete translation does not compile.
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
  /** The question of an approval that has no prompt. */
  allowTool: Sentence<{ tool: string }>

  // Approval
  riskLow: string
  riskMedium: string
  riskHigh: string
  argumentsTitle: string
  changesTitle: string
  showAll: Sentence<Count>
  /** For an empty list, or a call without arguments. */
  showMore: Sentence<Count>
  showLess: string
  /** Shows the arguments as JSON. */
  exactRequest: string
  copy: string
  /** Of an argument. */
  changedValue: string
  valueNone: string
  valueEmpty: string
  valueEmptyList: string
  edit: string
  stopEditing: string
  /** While arguments are edited as fields, and as JSON. */
  editAsJson: string
  editAsFields: string
  /** Of an argument that has no field. */
  onlyAsJson: string
  /** To a list of texts or numbers. */
  addItem: string
  editedArguments: string
  /** The label of arguments and diffs once the question has ended. */
  askedFor: string
  askedChanges: string
  approvedArguments: string
  resetArguments: string
  editedNote: string
  invalidJson: string
  scopeLegend: string
  scopeOnce: string
  /** The scope of an approval that is remembered for the request with all its arguments. */
  scopeSession: string
  scopeAlways: string
  /** The scope of an approval whose key only the application knows. */
  scopeSessionPlain: string
  scopeAlwaysPlain: string
  /** The scope of an approval that the application describes. */
  scopeFor: Sentence<{ scope: 'session' | 'always'; what: string }>
  /** The scope of an approval that also covers other requests of the tool. */
  scopeForTool: Sentence<{ scope: 'session' | 'always'; tool: string }>
  /** The reason why only "just this time" can be chosen. */
  scopeEdited: string
  scopePartial: string
  scopeNotYours: string
  /** Denies, with words for the assistant. */
  denyInstead: string
  instead: string
  insteadNeeded: string
  addReason: string
  reason: string
  reasonGiven: string
  approve: string
  approveWithChanges: Sentence<{ label: string }>
  approveSome: Sentence<{ label: string; accepted: number; total: number }>
  /** `deny` is the label of the button that denies. */
  allRejected: Sentence<{ deny: string }>
  deny: string
  framed: string
  pressAgain: string
  /** The confirmations of an approval with high risk: typed, held, or pressed twice. */
  confirmType: Sentence<{ name: string }>
  holdToConfirm: string
  holdLonger: string
  pressTwice: string
  acceptChange: string
  rejectChange: string
  /** Shown in the record of an answer. */
  changeAccepted: string
  changeRejected: string
  /** The status of a file that is added, deleted, renamed or without lines to show. */
  fileAdded: string
  fileDeleted: string
  fileRenamed: string
  fileBinary: string
  wholeFile: Sentence<{ path: string }>
  linesChanged: Sentence<{ added: number; removed: number }>
  /** Shown above a diff. */
  filesChanged: Sentence<{ count: number }>
  acceptedOf: Sentence<{ accepted: number; total: number }>
  acceptAll: string
  rejectAll: string
  showUnchanged: Sentence<{ count: number }>
  change: Sentence<{ index: number; total: number; path: string }>
  lineAdded: string
  lineRemoved: string

  // Form
  submit: string
  decline: string
  dismiss: string
  required: string
  /** Shown above a form with required and optional fields. */
  requiredLegend: Sentence<{ mark: string }>
  choose: string
  /** For a field whose options are searched, because there are many. */
  searchChoices: string
  choicesFound: Sentence<Count>
  /** The option for an answer in the person's own words, and the name of its text field. */
  other: string
  otherFor: Sentence<{ name: string }>
  rangeFrom: string
  rangeTo: string
  /** Of a questionnaire. */
  step: Sentence<{ index: number; total: number }>
  nextStep: string
  previousStep: string
  yourAnswers: string
  /** For a form without JavaScript whose fields depend on each other. */
  formChanged: string
  /** Shown below a number if the parsed value differs from the typed text. */
  numberRead: Sentence<{ number: string }>
  characters: Sentence<{ count: string; max: string }>
  timeZone: Sentence<{ zone: string }>
  revealSecret: Sentence<{ name: string }>
  show: string
  hide: string
  secretNote: string
  secretSet: string
  secretNotSet: string
  yes: string
  no: string
  nothingGiven: string
  uploading: Sentence<{ name: string }>
  uploadFailed: Sentence<{ name: string }>
  /** `limit` is empty if only the server knows it. */
  uploadTooLarge: Sentence<{ name: string; limit: string }>
  uploadWrongType: Sentence<{ name: string; accepted: string }>
  /** Of a file, or an entry of a list. */
  removeFile: Sentence<{ name: string }>
  problemsTitle: Sentence<Count>
  /** One text for each kind of problem of a field. */
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
  /** The window was closed before the server knew of an account. */
  connectClosed: Sentence<{ name: string }>
  connectRedirect: string
  connectDenied: Sentence<{ name: string }>
  connectWrongAccount: Sentence<{ name: string }>
  connectFailed: Sentence<{ name: string }>
  /** The request did not reach the server, and the connection is lost: the button works when it is back. */
  connectUnsent: Sentence<{ name: string }>
  /** The connection is back: a window opens only in a click, so the user presses again. */
  connectBack: Sentence<{ name: string }>
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

  // Outcomes
  submitting: string
  notSent: string
  /** `answer` is the label of its button. */
  unsent: Sentence<{ answer: string }>
  refused: Sentence<{ answer: string }>
  sendAgain: string
  changeAnswer: string
  stillSending: string
  sendingAgain: Sentence<{ answer: string }>
  signedOut: string
  /** The same, to a user who has begun to answer. */
  signedOutKept: string
  signIn: string
  notAccepted: string
  /** The question on screen was not the one that is open. */
  shownDiffers: string
  disconnected: string
  /** The same, for a user who has begun to answer. */
  disconnectedKept: string
  /** Announced when the connection is back. */
  connectedAgain: string
  /** The button that connects at once instead of after the pause. */
  tryNow: string
  /** Replaces a part of a card that could not be loaded. */
  partFailed: string
  readOnly: string
  turnOn: string
  notAllowed: string
  deferred: string
  youApproved: Sentence<Approval>
  youDenied: string
  youSubmitted: string
  youDeclined: string
  youDismissed: string
  running: string
  /** Announced when a call that continued after an approval has ended. `text` is its question. */
  completed: Sentence<{ text: string }>
  stopped: Sentence<{ text: string }>
  /** Another user answered, who may have no name. */
  theyApproved: Sentence<Approval & { name?: string }>
  theyDenied: Sentence<{ name?: string }>
  theyAnswered: Sentence<{ name?: string }>
  /** The reader's own answer, from another device. */
  /** A remembered approval answered, of the reader or of `name`. */
  allowedByRule: Sentence<{ label?: string; name?: string }>
  changeRule: string
  onAnotherDevice: Sentence<{ text: string }>
  at: Sentence<{ text: string; time: string }>
  /** First part of the line of an answered approval. `label` is the label of the pressed button. */
  receiptApproved: Sentence<Approval & { label: string }>
  receiptDenied: Sentence<{ label: string }>
  /** The person in that line who answered. */
  you: string
  youElsewhere: string
  anotherUser: string
  expired: string
  cancelled: string
  superseded: string
  failed: string
  authFailed: string

  // Time
  timeLeft: Sentence<{ time: string }>
  /** The assistant continues at that time, and the question stays answerable. */
  continuesIn: Sentence<{ time: string }>
  timeUp: string
  /** The typed input of a question that ended before it was sent. */
  keptDraft: string
  copyDraft: string
  copied: string
  moreTime: string

  // Place
  popOut: string
  popIn: string
  poppedOut: string

  // Attention
  announceOne: Sentence<{ text: string }>
  announceSeveral: Sentence<Count>
  /** The error comes first, because the next announcement may cut off the rest. */
  announceRefused: Sentence<{ text: string }>
  titleCount: Sentence<Count>
  inboxTitle: string
  inboxEmpty: string
  inboxOpen: string
  inboxMore: string

  /**
   * The texts of the inbox and of the settings.
   *
   * @default English
   */
  pages?: PageMessages
}

/** Fills a sentence. */
export function say<P>(sentence: Sentence<P>, params: P): string {
  return typeof sentence === 'function' ? sentence(params) : sentence
}

/** Returns the deadline of an answer, and what happens after it. Undefined if there is none, or not for a long time. */
export function deadlineText(
  request: { answerableLater?: boolean | undefined } | undefined,
  leftMs: number | null,
  messages: Pick<Messages, 'timeLeft' | 'continuesIn'>,
  locale: string,
): string | undefined {
  if (leftMs === null || !(leftMs > 0 && leftMs < SHOWN_BELOW_MS)) return undefined
  const time = durationText(leftMs, locale)
  return say(request?.answerableLater === true ? messages.continuesIn : messages.timeLeft, { time })
}
