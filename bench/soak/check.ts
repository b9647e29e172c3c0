import { checkClients } from './check-clients.ts'
import { checkLog } from './check-log.ts'
import { checkTasks } from './check-tasks.ts'
import type { History, Violation } from './history.ts'

/** Compares the observations of all clients and nodes with the records, and returns the differences. Pure. */
export const check = (history: History): Violation[] => [
  ...checkLog(history),
  ...checkClients(history),
  ...checkTasks(history),
]
