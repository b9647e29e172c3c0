import { testClock } from '@holdpoint/server/testing'

/** Noon in Berlin, so that no quiet hours begin by themselves. */
export const clock = testClock({ start: Date.UTC(2030, 0, 7, 11) })
export const { environment } = clock
