import { type HoldpointError, isHoldpointError } from '@holdpoint/core'

/** The description of an error that a client receives. */
export interface ShownError {
  status: number
  code: string
  message: string
  facts?: Readonly<Record<string, unknown>>
}

/** Why an error is hidden: the store failed, the row is from a newer version, or anything else. */
export type HiddenReason = 'store' | 'newer_row' | 'other'

/** The way in which one API reports errors: which ones it shows, and in which format. */
export interface ErrorFormat<Body> {
  /** Describes an error whose message was written for clients. Returns undefined for all other errors. */
  show(error: HoldpointError, facts: Readonly<Record<string, unknown>>): ShownError | undefined
  /** Returns the error that clients receive in place of one that they must not see. */
  hide(reason: HiddenReason): ShownError
  body(shown: ShownError): Body
}

/** The status and body that answer a thrown error. */
export interface ErrorResponse<Body> {
  status: number
  body: Body
  /** True if the client does not receive the error's own message, so that the error belongs in the log. */
  hidden: boolean
}

/** Converts anything thrown to a status and a body. All HTTP APIs of this package use it, each with its format. */
export function errorResponse<Body>(error: unknown, format: ErrorFormat<Body>): ErrorResponse<Body> {
  const shown = isHoldpointError(error) ? format.show(error, factsOf(error)) : undefined
  const described = shown ?? format.hide(hiddenReason(error))
  return { status: described.status, body: format.body(described), hidden: shown === undefined }
}

/** Returns the status that the thrower of an error chose for it. */
export function ownStatus({ details }: HoldpointError): number | undefined {
  return typeof details.httpStatus === 'number' ? details.httpStatus : undefined
}

function factsOf({ details }: HoldpointError) {
  const { httpStatus: _status, ...facts } = details
  return facts
}

function hiddenReason(error: unknown): HiddenReason {
  if (!isHoldpointError(error)) return 'other'
  if (error.code.startsWith('store_')) return 'store'
  return error.code === 'row_newer' ? 'newer_row' : 'other'
}
