/**
 * The code that opens and watches the window of an account provider. It is apart from `internal`, because a page loads it later.
 */
export { beginAttempt } from './connect/attempt.ts'
export { isSafeAddress } from './connect/safe-address.ts'
