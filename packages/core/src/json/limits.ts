/** Separate constants for the browser, so that it does not load the whole object. */
export const maxEventBytes = 1024 * 1024
export const maxUserActions = 100

/**
 * All limits of the protocol. A server may change them (`createHoldpoint({ limits })`). Exceeding one is always an
 * error with its own code, never a silent truncation.
 */
export const limits = {
  /** Bytes of one client message, as received. */
  messageBytes: 256 * 1024,
  /** UTF-8 bytes of one event's JSON. A server does not send more, and a client does not buffer more. */
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
  /** Reprompts of one question before `reprompt_limit`. */
  reprompts: 20,
  /** Open questions of one session. */
  openQuestions: 1_000,
  /** Characters in the store of all open questions of one session. */
  openQuestionBytes: 16 * 1024 * 1024,
  /** Nesting of any JSON value from outside. */
  depth: 64,
  /** Characters of an id from outside. */
  idLength: 256,
  /** Characters of a reason that a person writes. */
  reasonLength: 4_000,
  /** User actions in one message. */
  userActions: maxUserActions,
  /** Bytes of one uploaded file. */
  uploadBytes: 10 * 1024 * 1024,
  /** Files that may be uploaded for one question; a replacement does not count. */
  uploadsPerQuestion: 20,
} as const

/** The limits with their values on this server. */
export type Limits = { [K in keyof typeof limits]: number }
