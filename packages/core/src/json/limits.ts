/** By themselves for the browser, which needs these two and would carry all of an object. */
export const maxEventBytes = 1024 * 1024
export const maxUserActions = 100

/**
 * Every limit of the protocol in one place. A server may lower or raise them (`createHoldpoint({ limits })`);
 * exceeding one is always an error with its own code, never a silent cut.
 */
export const limits = {
  /** Bytes of one client message, as received. */
  messageBytes: 256 * 1024,
  /** UTF-8 bytes of one event's JSON. A server refuses to send more, a client refuses to buffer more. */
  eventBytes: maxEventBytes,
  /** UTF-8 bytes of a prompt. */
  promptBytes: 8 * 1024,
  /** Facts of one question. */
  facts: 12,
  /** Characters of a fact's label, and of its value. */
  factLength: 300,
  /** Fields in one form. */
  fields: 100,
  /** Options of one select, radio or multiselect. */
  options: 1_000,
  /** How often one question may be asked again before `reprompt_limit`. */
  reprompts: 20,
  /** Questions that one session may keep open. */
  openQuestions: 1_000,
  /** Characters that the open questions of one session may take in the store, all together. */
  openQuestionBytes: 16 * 1024 * 1024,
  /** Nesting of any JSON value that arrives from outside. */
  depth: 64,
  /** Characters of an id that arrives from outside. */
  idLength: 256,
  /** Characters of a reason that a person writes. */
  reasonLength: 4_000,
  /** User actions in one message. */
  userActions: maxUserActions,
  /** Bytes of one uploaded file. */
  uploadBytes: 10 * 1024 * 1024,
  /** Files that may be uploaded for one question; a file that replaces another one does not count. */
  uploadsPerQuestion: 20,
} as const

export type Limits = { [K in keyof typeof limits]: number }
