import { HoldpointError } from '@holdpoint/core'
import type { StoreErrorCode } from '../port.ts'

/** Creates an error of a store. The type of the code makes a typo in a driver a compile error. */
export function storeError(
  code: StoreErrorCode,
  message: string,
  options: { cause?: unknown; details?: Record<string, unknown> } = {},
): HoldpointError {
  return new HoldpointError(code, message, options)
}

/** Creates the error of calls after `close()`. */
export function storeClosed(name: string): HoldpointError {
  return storeError(
    'store_closed',
    `The ${name} store was closed, so nothing can be read or written through it. Create a new one, or close it later.`,
  )
}
