/** The props that all cards share, for the controls and the table of a story. */
export const cardArgTypes = {
  interaction: { description: 'The question. A card without one is loading.', control: 'object' },
  interactive: { description: 'False: answering is turned off here.', control: 'boolean' },
  mayAnswer: { description: 'False: another user has to answer.', control: 'boolean' },
  connection: {
    description: 'The connection of the session; that of the client when omitted.',
    control: 'select',
    options: ['connecting', 'open', 'reconnecting', 'closed'],
  },
  callStatus: {
    description: 'Where the tool call stands; as the client knows it when omitted.',
    control: 'select',
    options: ['running', 'completed', 'failed'],
  },
  onRespond: { description: "Sends the answer; the client's `respond` when omitted.", control: false },
  onRetry: { description: 'Sends the answer that could not be sent again.', control: false },
  onExtend: { description: 'Asks for more time.', control: false },
  onCancelRun: { description: 'Ends the run.', control: false },
  classNames: { description: 'Classes by part, added to those of the provider.', control: 'object' },
  slots: { description: 'Controls of your own, for this card only.', control: false },
  portalContainer: { description: 'Where the larger view is put.', control: false },
} as const

export const formArgTypes = {
  ...cardArgTypes,
  onUpload: { description: "Hands a file in; the client's `upload` when omitted.", control: false },
} as const

export const accountArgTypes = {
  ...cardArgTypes,
  rows: { description: 'Where each account stands, decided by the application.', control: 'object' },
  onConnect: { description: 'Starts one flow.', control: false },
  onFinished: { description: 'The person says that it is done.', control: false },
  onClientToken: { description: "For a widget of the provider's own, in place of an address.", control: false },
  redirect: { description: 'Leave the page instead of opening a window.', control: 'boolean' },
  returnTo: { description: 'The address that the flow returns to; this page by default.', control: 'text' },
} as const
