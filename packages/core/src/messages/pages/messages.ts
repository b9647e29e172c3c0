/** As in `Messages`, whose folder this one must not import. */
type Sentence<P> = string | ((params: P) => string)

interface Count {
  count: number
}

/** The texts of the inbox and of the settings, which cards do not load. */
export interface PageMessages {
  // Inbox
  inboxList: Sentence<Count>
  /** The button that shows the search and the filters where there is little room. */
  tools: string
  search: string
  show: string
  showWaiting: string
  showApprovals: string
  showForms: string
  showAccounts: string
  showHighRisk: string
  showDue: string
  /** Questions that were settled while the page was open, where the inbox has no history. */
  showSettled: string
  /** All questions of the history, where a filter can be chosen. */
  showAll: string
  /** The name of the choice between the questions that wait and the history. */
  inboxPlaces: string
  placeWaiting: string
  history: string
  historyEmpty: string
  historyLoading: string
  historyFailed: string
  sort: string
  sortOldest: string
  sortNewest: string
  sortDue: string
  sortRisk: string
  group: string
  groupNone: string
  groupAgent: string
  groupChat: string
  groupTool: string
  noMatch: string
  clearFilters: string
  chooseQuestion: string
  backToList: string
  /** Of an answer that is held for a moment before it is sent. */
  undo: string
  sendNow: string
  heldAnswer: Sentence<{ answer: string }>
  undoHint: string
  nextQuestion: string
  unknownAgent: string
  noLongerWaiting: string
  hideSettled: Sentence<Count>
  /** Above the list: requests that can be approved together. */
  similar: Sentence<{ count: number; tool: string }>
  reviewAll: Sentence<Count>
  approveAllTitle: Sentence<{ count: number; tool: string }>
  approveAll: Sentence<Count>
  approvedOf: Sentence<{ count: number; total: number }>
  batchAccepted: string
  batchConflict: string
  batchRefused: string
  batchUnsent: string
  sendUnsent: Sentence<Count>
  close: string

  // Settings
  approvalsTitle: string
  approvalsText: string
  approvalsEmpty: string
  approvalAlways: string
  approvalSession: Sentence<{ chat: string }>
  approvalGiven: Sentence<{ time: string }>
  askAgain: string
  /** The accessible name of that button. */
  askAgainFor: Sentence<{ what: string }>
  askedAgain: Sentence<{ what: string }>
  toolsTitle: string
  toolsText: string
  toolsEmpty: string
  toolDefault: string
  toolSaved: Sentence<{ tool: string; choice: string }>
  accountsTitle: string
  accountsText: string
  accountsEmpty: string
  accountNotConnected: string
  accountExpired: string
  accountUser: Sentence<{ user: string }>
  accountScopes: Sentence<{ scopes: string }>
  disconnect: Sentence<{ name: string }>
  disconnected: Sentence<{ name: string }>
  settingsLoading: string
  settingsUnread: string
  settingsUnsaved: string
}
