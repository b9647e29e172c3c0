import { problemsInEnglish } from '@holdpoint/core/forms'
import type { Messages } from './messages.ts'
import { plural } from './plural.ts'
import { type SpokenMessages, spokenEnglish } from './spoken.ts'

const written: Omit<Messages, keyof SpokenMessages> = {
  loading: 'Loading the question…',
  unknownText: 'You cannot answer it here. Update the app, or answer it where it is known.',
  byline: ({ requester, tool }) => (requester ? `${requester} with ${tool}` : tool),

  riskLow: 'Low risk',
  riskMedium: 'Medium risk',
  riskHigh: 'High risk',
  argumentsTitle: 'What will run',
  changesTitle: 'What will change',
  showAll: ({ count }) => `Show ${count} more ${plural('en', count, { one: 'line', other: 'lines' })}`,
  showLess: 'Show less',
  edit: 'Edit',
  stopEditing: 'Done',
  editedArguments: 'What will run, edited by you',
  askedFor: 'What was asked for',
  askedChanges: 'Changes that were asked for',
  approvedArguments: 'What was approved, with changes',
  resetArguments: 'Reset to what was asked',
  editedNote: 'Edited by you. Counts just this time.',
  invalidJson: 'This is not valid JSON, so it cannot run.',
  scopeLegend: 'Approve',
  scopeOnce: 'Just this time',
  scopeSession: 'In this chat, for exactly this request',
  scopeAlways: 'Always, for exactly this request (change in Settings)',
  addReason: 'Add a reason',
  reason: 'Reason (optional)',
  reasonGiven: 'Reason',
  approve: 'Approve',
  approveWithChanges: ({ label }) => `${label} with changes`,
  approveSome: ({ label, accepted, total }) => `${label} ${accepted} of ${total} changes`,
  allRejected: 'You rejected every change. Deny instead, or accept at least one.',
  deny: 'Deny',
  framed: 'This page is shown inside another one, so you cannot approve here. Open it in a window of its own.',
  pressAgain: 'The button had only just appeared here, so that press did not count. Press again.',
  acceptChange: 'Accept',
  rejectChange: 'Reject',
  change: ({ index, total, path }) => `Change ${index} of ${total} in ${path}`,
  lineAdded: 'added',
  lineRemoved: 'removed',

  submit: 'Send',
  decline: 'Decline',
  dismiss: 'Dismiss',
  required: '(required)',
  choose: 'Choose…',
  secretNote: 'Kept out of the chat: the assistant can use it but not read it.',
  secretSet: 'Set',
  secretNotSet: 'Not set',
  yes: 'Yes',
  no: 'No',
  nothingGiven: 'Nothing given',
  uploading: ({ name }) => `Uploading ${name}…`,
  uploadFailed: ({ name }) => `${name} was not uploaded. Choose it again.`,
  removeFile: ({ name }) => `Remove ${name}`,
  problemsTitle: ({ count }) =>
    `${count} ${plural('en', count, { one: 'answer needs', other: 'answers need' })} another look`,
  problems: problemsInEnglish,

  connect: ({ name }) => `Connect ${name}`,
  reconnect: ({ name }) => `Reconnect ${name}`,
  allowMore: ({ name }) => `Allow more in ${name}`,
  tryAgain: ({ name }) => `Try ${name} again`,
  opensHost: ({ host }) => `Opens ${host}`,
  continueTo: ({ host }) => `Continue to ${host}`,
  connectOpening: 'Opening…',
  connectWaiting: ({ name }) => `Finish in the ${name} window`,
  connectBlocked: 'The browser blocked the window. Use the link.',
  connectRedirect: 'You leave this page and come back to it.',
  connectDenied: ({ name }) => `${name} was not allowed to connect. Nothing was shared.`,
  connectWrongAccount: ({ name }) => `That was another ${name} account than the one needed.`,
  connectFailed: ({ name }) => `${name} could not be connected.`,
  connected: 'Connected',
  connectedFewer: 'Connected, with fewer permissions than asked',
  causeExpired: 'The connection has ended and must be renewed.',
  causeScopes: 'Connected, but this needs more permissions.',
  checking: 'Checking…',
  finished: 'I have finished',
  openAgain: 'Open again',
  progress: ({ connected, total }) => `${connected} of ${total} connected`,
  stopTask: 'Stop this task',

  submitting: 'Sending…',
  notSent: 'Not sent. Your answer is still here.',
  sendAgain: 'Send again',
  notAccepted: 'Not accepted. Your answer is still here.',
  disconnected: 'Reconnecting… This may be out of date.',
  disconnectedKept: 'Reconnecting… Your answer is kept.',
  readOnly: 'Answering is turned off here.',
  turnOn: 'Turn on',
  notAllowed: 'Somebody else has to answer this.',
  deferred: 'The assistant went on meanwhile. Your answer still counts.',

  timeLeft: ({ time }) => `Answer within ${time}`,
  timeUp: 'Time is up',
  moreTime: 'More time',

  popOut: 'Open in a larger view',
  popIn: 'Back to the chat',
  poppedOut: 'Shown in the larger view.',

  inboxTitle: 'Waiting for you',
  inboxEmpty: 'Nothing is waiting for you.',
  inboxOpen: 'Open the chat',
  inboxMore: 'Show more',
}

// A call may be left out. Of a spread esbuild does not know that: a page with hooks alone would load every text.
/**
 * The English texts, which cards use when the provider gets no `messages`. Spread them to change a few.
 *
 * @example
 * const messages: Messages = { ...english, stopTask: 'Stop the assistant' }
 */
export const english: Messages = /* @__PURE__ */ Object.assign({}, spokenEnglish, written)
