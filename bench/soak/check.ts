import { checkClients } from './check-clients.ts'
import { checkLog } from './check-log.ts'
import { checkTasks } from './check-tasks.ts'
import type { History, Violation } from './history.ts'

/** Compares what everybody was told with what is recorded, and says what does not fit. Pure. */
export const check = (history: History): Violation[] => [
  ...checkLog(history),
  ...checkClients(history),
  ...checkTasks(history),
]
