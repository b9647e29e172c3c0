/** A question that expires after a second. The tool continues, and the answer may arrive later. */
export const LATE = {
  type: 'approval',
  prompt: 'Go?',
  whenUnavailable: 'wait',
  timeoutMs: 1_000,
  onResponse: () => ({ complete: 1 }),
  onTimeout: () => ({ pending: { message: 'later' } }),
} as const
