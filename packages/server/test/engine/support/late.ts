/** A question that nobody answers within its second; the tool goes on, and the answer may come later. */
export const LATE = {
  type: 'approval',
  prompt: 'Go?',
  whenUnavailable: 'wait',
  timeoutMs: 1_000,
  onResponse: () => ({ complete: 1 }),
  onTimeout: () => ({ pending: { message: 'later' } }),
} as const
