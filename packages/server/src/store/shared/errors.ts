import { HoldpointError } from '@holdpoint/core'
import type { StoreErrorCode } from '../port.ts'

/** An error of a store: its code is one of the port's, so that a typo in a driver does not compile. */
export function storeError(
  code: StoreErrorCode,
  message: string,
  options: { cause?: unknown; details?: Record<string, unknown> } = {},
): HoldpointError {
  return new HoldpointError(code, message, options)
}

/** The error of every call after `close()`. */
export function storeClosed(name: string): HoldpointError {
  return storeError(
    'store_closed',
    `The ${name} store was closed, so nothing can be read or written through it. Create a new one, or close it later.`,
  )
}
